package io.tidelog.store;

import io.tidelog.compaction.Workspace;

/**
 * How a store compacts its logs.
 *
 * @param schedule when
 * @param threads log.cleaner.threads: how many logs at the same time
 * @param keyBytes log.cleaner.dedupe.buffer.size: memory for keys, of all of them together
 * @param keyLoad log.cleaner.io.buffer.load.factor: the largest share of it that is used
 * @param writeBytes log.cleaner.io.buffer.size: memory for writes, of all of them together
 * @param maxBytesPerSecond log.cleaner.io.max.bytes.per.second: read and written together
 * @param backoffMs log.cleaner.backoff.ms: how long to wait when there is nothing to compact
 */
public record CleanerSettings(
    Schedule schedule,
    int threads,
    long keyBytes,
    double keyLoad,
    int writeBytes,
    double maxBytesPerSecond,
    long backoffMs) {
  private static final int LEAST_WRITE_BYTES = 4096;

  /** log.cleaner.enable. */
  public enum Schedule {
    /** Whenever a log is due. */
    WHEN_DUE,
    /** Only when it is asked for. */
    ON_REQUEST
  }

  public static final CleanerSettings DEFAULTS =
      new CleanerSettings(
          Schedule.WHEN_DUE, 1, 128L << 20, 0.9, 512 << 10, Double.MAX_VALUE, 15_000);

  /** Refuses memory that not even a few keys have room in. */
  public CleanerSettings {
    if (threads < 1) {
      throw new IllegalArgumentException(
          "log.cleaner.threads is %d, expected 1 or more".formatted(threads));
    }
    if (!(maxBytesPerSecond > 0)) {
      throw new IllegalArgumentException(
          "log.cleaner.io.max.bytes.per.second is %s, expected more than 0"
              .formatted(maxBytesPerSecond));
    }
    limits(keyBytes, threads, keyLoad, writeBytes).requireRoom();
  }

  /** The share of one thread. */
  Workspace.Limits limits() {
    return limits(keyBytes, threads, keyLoad, writeBytes);
  }

  private static Workspace.Limits limits(
      long keyBytes, int threads, double keyLoad, int writeBytes) {
    return new Workspace.Limits(
        keyBytes / threads, keyLoad, Math.max(writeBytes / threads / 2, LEAST_WRITE_BYTES));
  }
}
