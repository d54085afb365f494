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
 */
public record StoreSettings(
    Function<TopicPartition, LogSettings> logSettings,
    long flushCheckIntervalMs,
    long retentionCheckIntervalMs,
    long checkpointIntervalMs,
    int recoveryThreads) {
  public static final StoreSettings DEFAULTS =
      new StoreSettings(partition -> LogSettings.DEFAULTS, 3_000, 300_000, 60_000, 2);
}
