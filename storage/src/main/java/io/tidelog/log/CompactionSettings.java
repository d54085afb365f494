package io.tidelog.log;

/**
 * When and how a log is compacted.
 *
 * @param minDirtyRatio min.cleanable.dirty.ratio: the share of bytes not compacted yet above which
 *     it is time
 * @param minLagMs min.compaction.lag.ms: how long records stay as they are
 * @param maxLagMs max.compaction.lag.ms: after how long they do not stay so, whatever the ratio
 * @param deleteRetentionMs delete.retention.ms: how long tombstones, and markers of transactions
 *     without records, outlive the first compaction
 */
public record CompactionSettings(
    double minDirtyRatio, long minLagMs, long maxLagMs, long deleteRetentionMs) {

  /** Refuses lags that contradict each other. */
  public CompactionSettings {
    if (minLagMs > maxLagMs) {
      throw new IllegalArgumentException(
          "min.compaction.lag.ms is %d, expected at most max.compaction.lag.ms, %d"
              .formatted(minLagMs, maxLagMs));
    }
  }
}
