package io.tidelog.store;

import io.tidelog.checkpoint.TopicId;
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
 * @param topicIds which topic a partition belongs to where its folder does not say; {@link
 *     TopicId#ZERO} if nobody knows
 * @param cleaner compaction
 */
public record StoreSettings(
    Function<TopicPartition, LogSettings> logSettings,
    long flushCheckIntervalMs,
    long retentionCheckIntervalMs,
    long checkpointIntervalMs,
    int recoveryThreads,
    long reservedBytes,
    Function<TopicPartition, TopicId> topicIds,
    CleanerSettings cleaner) {
  public static final StoreSettings DEFAULTS =
      new StoreSettings(partition -> LogSettings.DEFAULTS, 3_000, 300_000, 60_000, 2);

  /**
   * With the reserve that the disk's size decides, and folders that say themselves whose they are.
   */
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
        Room.BY_SIZE,
        partition -> TopicId.ZERO,
        CleanerSettings.DEFAULTS);
  }

  /** The same with another tidelog.reserved.disk.bytes. */
  public StoreSettings withReservedBytes(long bytes) {
    return new StoreSettings(
        logSettings,
        flushCheckIntervalMs,
        retentionCheckIntervalMs,
        checkpointIntervalMs,
        recoveryThreads,
        bytes,
        topicIds,
        cleaner);
  }

  /** The same with somebody who knows the topics. */
  public StoreSettings withTopicIds(Function<TopicPartition, TopicId> ids) {
    return new StoreSettings(
        logSettings,
        flushCheckIntervalMs,
        retentionCheckIntervalMs,
        checkpointIntervalMs,
        recoveryThreads,
        reservedBytes,
        ids,
        cleaner);
  }

  /** The same with other settings of compaction. */
  public StoreSettings withCleaner(CleanerSettings other) {
    return new StoreSettings(
        logSettings,
        flushCheckIntervalMs,
        retentionCheckIntervalMs,
        checkpointIntervalMs,
        recoveryThreads,
        reservedBytes,
        topicIds,
        other);
  }
}
