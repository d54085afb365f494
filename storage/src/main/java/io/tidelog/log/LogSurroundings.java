package io.tidelog.log;

import io.tidelog.disk.Disk;
import io.tidelog.segment.Segment;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What a log takes from outside.
 *
 * @param disk the door to files
 * @param clock wall clock
 * @param random for segment.jitter.ms
 * @param validations validators that logs take in turn
 * @param host the store that the log lives in
 */
public record LogSurroundings(
    Disk disk, InstantSource clock, RandomGenerator random, Validations validations, LogHost host) {

  /** What a segment in this folder takes from its log. */
  public Segment.Setting segmentSetting(Path directory, LogSettings settings) {
    return new Segment.Setting(
        disk, directory, settings.indexIntervalBytes(), clock.millis(), host::repaired);
  }
}
