package io.tidelog.log;

import io.tidelog.record.RecordBatch;
import io.tidelog.segment.Segment;
import java.io.IOException;

/** When the active segment is closed and a new one begun. */
final class RollRule {
  private RollRule() {}

  /**
   * Whether a batch must go to a new segment.
   *
   * @param active the active segment
   * @param batch the batch, not yet numbered
   * @param baseOffset the offset that it will get
   * @param dueMs how old a segment may get: segment.ms less the segment's own jitter
   */
  static boolean isDue(Segment active, RecordBatch batch, long baseOffset, Limits limits)
      throws IOException {
    if (active.sizeBytes() == 0) {
      return !active.canHold(baseOffset + batch.lastOffsetDelta());
    }
    return active.sizeBytes() > limits.settings.segmentBytes() - batch.sizeBytes()
        || ageMs(active, batch, limits.nowMs) > limits.dueMs
        || active.isIndexFull(limits.settings.segmentIndexBytes())
        || !active.canHold(baseOffset + batch.lastOffsetDelta());
  }

  /**
   * What the rule goes by.
   *
   * @param settings of the log
   * @param dueMs segment.ms less the segment's own jitter
   * @param nowMs the clock
   */
  record Limits(LogSettings settings, long dueMs, long nowMs) {}

  private static long ageMs(Segment active, RecordBatch batch, long nowMs) throws IOException {
    long first = active.firstTimestamp();
    return first >= 0 ? batch.maxTimestamp() - first : nowMs - active.openedMs();
  }
}
