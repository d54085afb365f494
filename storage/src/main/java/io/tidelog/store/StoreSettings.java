package io.tidelog.store;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.LogSettings;
import java.util.function.Function;

/**
 * Settings of a store as a whole, under Kafka's server-level names where there is one.
 *
 * @param logSettings the settings of each partition found at open
 * @param flushCheckIntervalMs how often logs are checked for flush.ms
 *     (log.flush.scheduler.interval.ms)
 * @param retentionCheckIntervalMs log.retention.check.interval.ms
 * @param checkpointIntervalMs log.flush.offset.checkpoint.interval.ms
 * @param recoveryThreads num.recovery.threads.per.data.dir
 * @param reservedBytes tidelog.reserved.disk.bytes, or -1: a hundredth of the disk, but at most 64
 *     MiB
 */
public record StoreSettings(
    Function<TopicPartition, LogSettings> logSettings,
    long flushCheckIntervalMs,
    long retentionCheckIntervalMs,
    long checkpointIntervalMs,
    int recoveryThreads,
    long reservedBytes) {
  public static final StoreSettings DEFAULTS =
      new StoreSettings(partition -> LogSettings.DEFAULTS, 3_000, 300_000, 60_000, 2);

  /** With the reserve that the disk's size decides. */
  public StoreSettings(
      Function<TopicPartition, LogSettings> logSettings,
      long flushCheckIntervalMs,
      long retentionCheckIntervalMs,
      long checkpointIntervalMs,
      int recoveryThreads) {
    this(
        logSettings,
        flushCheckIntervalMs,
        retentionCheckIntervalMs,
        checkpointIntervalMs,
        recoveryThreads,
        Room.BY_SIZE);
  }
}
