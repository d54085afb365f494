package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.Compression;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The answer to a time is the lowest offset whose timestamp is at or after it, however the records
 * are packed and spread, and also when time runs backwards.
 */
class OffsetsForTimesTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final long[] TIMES = {100, 300, 200, 400, 50, 500};
  private static final long[] TARGETS = {0, 100, 150, 201, 301, 400, 450, 501};
  private static final long[] ANSWERS = {0, 0, 1, 1, 3, 3, 5, -1};
  private static final Map<String, String> ONE_SEGMENT = Map.of();
  private static final Map<String, String> TWO_BATCHES_EACH =
      Map.of("segment.bytes", "160", "index.interval.bytes", "0");

  private final SimDisk disk = new SimDisk(1);

  @ParameterizedTest
  @EnumSource(Compression.class)
  void one_record_in_each_batch(Compression codec) throws IOException {
    writeOneByOne(codec, ONE_SEGMENT);
    answersAreRight(ONE_SEGMENT);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void all_records_in_one_batch(Compression codec) throws IOException {
    try (Lab lab = lab(ONE_SEGMENT)) {
      lab.orders().append(Produced.at(codec, TIMES), 0, AppendSource.CLIENT);
    }
    answersAreRight(ONE_SEGMENT);
  }

  @Test
  void over_three_segments() throws IOException {
    writeOneByOne(Compression.NONE, TWO_BATCHES_EACH);
    assertThat(disk.list(FOLDER)).filteredOn(name -> name.endsWith(".log")).hasSize(3);
    answersAreRight(TWO_BATCHES_EACH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"timeindex", "index"})
  void after_its_indexes_were_deleted(String suffix) throws IOException {
    writeOneByOne(Compression.NONE, TWO_BATCHES_EACH);
    for (String name : disk.list(FOLDER)) {
      if (name.endsWith(suffix)) {
        disk.delete(FOLDER.resolve(name));
      }
    }
    answersAreRight(TWO_BATCHES_EACH);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void any_time_in_any_log_is_answered_as_a_scan_would(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> settings =
        Map.of(
            "segment.bytes", Integer.toString(random.nextInt(300, 3000)),
            "index.interval.bytes", Integer.toString(random.nextInt(400)),
            "message.timestamp.type", seed % 4 == 0 ? "LogAppendTime" : "CreateTime");
    try (Lab lab = lab(settings)) {
      PartitionLog log = lab.orders();
      for (int i = 0; i < 40; i++) {
        lab.clock.advanceMs(random.nextInt(-2, 5));
        appendRandom(log, random);
      }
      FullScan.of(disk, FOLDER).agreesWith(log);
      while (log.view().start() < log.view().end()) {
        log.advanceStart(Math.min(log.view().end(), log.view().start() + random.nextInt(1, 15)));
        FullScan.of(disk, FOLDER).agreesWith(log);
      }
    }
    try (Lab lab = lab(settings)) {
      FullScan.of(disk, FOLDER).agreesWith(lab.orders());
      assertThat(lab.events).isEmpty();
    }
  }

  private static void appendRandom(PartitionLog log, SplittableRandom random) throws IOException {
    Compression codec = Compression.values()[random.nextInt(Compression.values().length)];
    long[] times =
        LongStream.range(0, random.nextInt(1, 6)).map(i -> 1000 + random.nextInt(60)).toArray();
    log.append(Produced.at(codec, times), 0, AppendSource.CLIENT);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0})
  void a_log_whose_times_say_nothing_is_searched_and_not_taken_for_damaged(long timestampMs)
      throws IOException {
    try (Lab lab = lab(TWO_BATCHES_EACH)) {
      for (int i = 0; i < 10; i++) {
        lab.orders().append(Produced.at(Compression.NONE, timestampMs), 0, AppendSource.CLIENT);
      }
    }
    try (Lab lab = lab(TWO_BATCHES_EACH)) {
      FullScan.of(disk, FOLDER).agreesWith(lab.orders());
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void a_record_is_found_wherever_the_bytes_that_are_read_at_once_end() throws IOException {
    for (int firstBytes = 0; firstBytes < 80; firstBytes++) {
      SimDisk own = new SimDisk(1);
      own.createDirectories(DATA);
      try (Lab lab = Lab.open(own, DATA, Map.of("index.interval.bytes", "1000000"))) {
        Lab.append(lab.orders(), 999, "v".repeat(firstBytes));
        for (int i = 1; i < 62; i++) {
          Lab.append(lab.orders(), 999 + i, "v");
        }
        for (int i = 50; i < 62; i++) {
          assertThat(lab.orders().offsetAtTime(999 + i, ReadUpTo.LOG_END).offset()).isEqualTo(i);
        }
      }
    }
  }

  @Test
  void only_what_lies_below_the_bound_is_an_answer() throws IOException {
    Map<String, String> fsync = Map.of("tidelog.durability", "fsync");
    try (Lab lab = lab(fsync)) {
      PartitionLog log = lab.orders();
      log.append(Produced.at(Compression.NONE, 100), 0, AppendSource.CLIENT);
      lab.scheduler.runDue();
      log.append(Produced.at(Compression.NONE, 200), 0, AppendSource.CLIENT);
      assertThat(log.offsetAtTime(150, ReadUpTo.HIGH_WATERMARK)).isEqualTo(OffsetAtTime.NONE);
      assertThat(log.offsetAtTime(150, ReadUpTo.LOG_END).offset()).isEqualTo(1);
      lab.scheduler.runDue();
      assertThat(log.offsetAtTime(150, ReadUpTo.HIGH_WATERMARK).offset()).isEqualTo(1);
    }
  }

  private void writeOneByOne(Compression codec, Map<String, String> settings) throws IOException {
    try (Lab lab = lab(settings)) {
      for (long timestampMs : TIMES) {
        lab.orders().append(Produced.at(codec, timestampMs), 0, AppendSource.CLIENT);
      }
    }
  }

  private void answersAreRight(Map<String, String> settings) throws IOException {
    try (Lab lab = lab(settings)) {
      for (int i = 0; i < TARGETS.length; i++) {
        OffsetAtTime found = lab.orders().offsetAtTime(TARGETS[i], ReadUpTo.HIGH_WATERMARK);
        assertThat(found.offset()).as("answer to %d", TARGETS[i]).isEqualTo(ANSWERS[i]);
        assertThat(found.timestampMs()).isEqualTo(ANSWERS[i] < 0 ? -1 : TIMES[(int) ANSWERS[i]]);
      }
      FullScan.of(disk, FOLDER).agreesWith(lab.orders());
    }
  }

  private Lab lab(Map<String, String> settings) throws IOException {
    disk.createDirectories(DATA);
    return Lab.open(disk, DATA, settings);
  }
}
