package io.tidelog.log;

import io.tidelog.record.RecordBatch;
import io.tidelog.segment.Segment;
import java.io.IOException;

/** When the active segment is closed and a new one begun. Guarded by the log's lock. */
final class RollRule {
  private final LogSurroundings around;
  private long jitterMs;

  RollRule(LogSurroundings around) {
    this.around = around;
  }

  /** Chooses what is taken off segment.ms for the segment that has become active. */
  void drawJitter(LogSettings settings) {
    long most = Math.min(settings.segmentJitterMs(), settings.segmentMs());
    jitterMs = most == 0 ? 0 : around.random().nextLong(most);
  }

  /** Whether a batch must go to a new segment; it is not numbered yet. */
  boolean isDue(LogView view, RecordBatch batch, LogSettings settings) throws IOException {
    Segment active = view.active();
    if (!active.canHold(view.end() + batch.lastOffsetDelta())) {
      return true;
    }
    return active.sizeBytes() > 0
        && (active.sizeBytes() > settings.segmentBytes() - batch.sizeBytes()
            || ageMs(active, batch) > settings.segmentMs() - jitterMs
            || active.isIndexFull(settings.segmentIndexBytes()));
  }

  private long ageMs(Segment active, RecordBatch batch) throws IOException {
    long first = active.firstTimestamp();
    return first >= 0 ? batch.maxTimestamp() - first : around.clock().millis() - active.openedMs();
  }
}
