package io.tidelog.compaction;

import io.tidelog.log.CompactionSettings;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogView;
import io.tidelog.segment.TimedSegment;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * What compaction would do with a log now, and why. Bytes are counted by whole segments: one that
 * is compacted in part counts as clean and as dirty.
 *
 * @param verdict whether it is time
 * @param firstDirtyOffset all below it has been compacted
 * @param from where that offset comes from
 * @param firstUncleanableOffset base offset of the first segment that has to stay as it is
 * @param limit why it has to
 * @param cleanBytes of the segments below the first dirty offset
 * @param dirtyBytes of the segments from there on that may be compacted
 * @param overdueMs by how much the oldest dirty record is past max.compaction.lag.ms, or 0
 */
public record CompactionPlan(
    Verdict verdict,
    long firstDirtyOffset,
    DirtyFrom from,
    long firstUncleanableOffset,
    Limit limit,
    long cleanBytes,
    long dirtyBytes,
    long overdueMs) {

  /** Whether it is time. */
  public enum Verdict {
    /** cleanup.policy does not say compact. */
    NOT_COMPACTED,
    /** All that may be compacted has been. */
    NOTHING_DIRTY,
    /** The dirty ratio is not above min.cleanable.dirty.ratio yet. */
    NOT_DIRTY_ENOUGH,
    /** The dirty ratio is above min.cleanable.dirty.ratio. */
    DUE_BY_RATIO,
    /** A dirty record is older than max.compaction.lag.ms. */
    DUE_BY_AGE;

    public boolean isDue() {
      return this == DUE_BY_RATIO || this == DUE_BY_AGE;
    }
  }

  /** Where the first dirty offset comes from. */
  public enum DirtyFrom {
    CHECKPOINT,
    /** The log start offset: it was never compacted. */
    NEVER_COMPACTED,
    /** The log start offset, which has passed the checkpoint. */
    CHECKPOINT_BELOW_START,
    /** The log start offset: the checkpoint lies past the end, so that it tells nothing. */
    CHECKPOINT_PAST_END
  }

  /** Why a segment has to stay as it is. */
  public enum Limit {
    /** It is still written to. */
    ACTIVE_SEGMENT,
    /** A transaction is open that begins in it, or before. */
    LAST_STABLE_OFFSET,
    /** Not all of it is acknowledged. */
    HIGH_WATERMARK,
    /** A record in it is younger than min.compaction.lag.ms. */
    MIN_COMPACTION_LAG
  }

  /**
   * Looks at a log.
   *
   * @param segments of the log, oldest first
   * @param offsets those of the log, taken before the segments
   * @param checkpoint up to where the log has been compacted, if that is known
   */
  public static CompactionPlan of(
      List<? extends TimedSegment> segments,
      LogView.Offsets offsets,
      LogSettings settings,
      OptionalLong checkpoint,
      long nowMs)
      throws IOException {
    return new Look(segments, offsets, settings, nowMs).plan(checkpoint);
  }

  /** The dirty share of the bytes below the first segment that has to stay as it is. */
  public double dirtyRatio() {
    long bytes = cleanBytes + dirtyBytes;
    return bytes == 0 ? 0 : (double) dirtyBytes / bytes;
  }

  /** One look at a log. */
  private record Look(
      List<? extends TimedSegment> segments,
      LogView.Offsets offsets,
      LogSettings settings,
      long nowMs) {

    /** A first offset that must not be compacted. */
    private record Bound(long offset, Limit limit) {
      Bound orBelow(long other, Limit why) {
        return other < offset ? new Bound(other, why) : this;
      }
    }

    private CompactionSettings lags() {
      return settings.compaction();
    }

    CompactionPlan plan(OptionalLong checkpoint) throws IOException {
      DirtyFrom from = from(checkpoint);
      long dirty = from == DirtyFrom.CHECKPOINT ? checkpoint.getAsLong() : offsets.start();
      Bound bound = bound(dirty);
      int stays = Math.min(floor(Math.max(dirty, bound.offset)), segments.size() - 1);
      long cleanBytes = 0;
      long dirtyBytes = 0;
      long overdueMs = 0;
      for (int i = 0; i < segments.size() - 1; i++) {
        TimedSegment segment = segments.get(i);
        cleanBytes += segment.baseOffset() < dirty ? segment.sizeBytes() : 0;
        if (i >= floor(dirty)) {
          dirtyBytes += i < stays ? segment.sizeBytes() : 0;
          overdueMs = Math.max(overdueMs, overdueMs(segment));
        }
      }
      return new CompactionPlan(
          verdict(cleanBytes, dirtyBytes, overdueMs),
          dirty,
          from,
          segments.get(stays).baseOffset(),
          bound.limit,
          cleanBytes,
          dirtyBytes,
          overdueMs);
    }

    private DirtyFrom from(OptionalLong checkpoint) {
      if (checkpoint.isEmpty()) {
        return DirtyFrom.NEVER_COMPACTED;
      }
      if (checkpoint.getAsLong() < offsets.start()) {
        return DirtyFrom.CHECKPOINT_BELOW_START;
      }
      return checkpoint.getAsLong() > offsets.end()
          ? DirtyFrom.CHECKPOINT_PAST_END
          : DirtyFrom.CHECKPOINT;
    }

    private Bound bound(long dirty) throws IOException {
      return new Bound(segments.get(segments.size() - 1).baseOffset(), Limit.ACTIVE_SEGMENT)
          .orBelow(offsets.highWatermark(), Limit.HIGH_WATERMARK)
          .orBelow(offsets.stable(), Limit.LAST_STABLE_OFFSET)
          .orBelow(firstYoung(dirty), Limit.MIN_COMPACTION_LAG);
    }

    /** Base offset of the first dirty segment with a record that is too young. */
    private long firstYoung(long dirty) throws IOException {
      for (int i = floor(dirty); lags().minLagMs() > 0 && i < segments.size() - 1; i++) {
        if (segments.get(i).maxTimestamp() > nowMs - lags().minLagMs()) {
          return segments.get(i).baseOffset();
        }
      }
      return Long.MAX_VALUE;
    }

    private long overdueMs(TimedSegment segment) throws IOException {
      if (lags().maxLagMs() == Long.MAX_VALUE) {
        return 0;
      }
      long firstMs = segment.firstTimestamp();
      long oldestAllowedMs = nowMs - lags().maxLagMs();
      return firstMs > 0 && firstMs < oldestAllowedMs ? oldestAllowedMs - firstMs : 0;
    }

    private Verdict verdict(long cleanBytes, long dirtyBytes, long overdueMs) {
      if (!settings.compacts()) {
        return Verdict.NOT_COMPACTED;
      }
      if (dirtyBytes == 0) {
        return Verdict.NOTHING_DIRTY;
      }
      if ((double) dirtyBytes / (cleanBytes + dirtyBytes) > lags().minDirtyRatio()) {
        return Verdict.DUE_BY_RATIO;
      }
      return overdueMs > 0 ? Verdict.DUE_BY_AGE : Verdict.NOT_DIRTY_ENOUGH;
    }

    /** The last segment whose base offset is at most this; the first one if there is none. */
    private int floor(long offset) {
      int found = 0;
      while (found + 1 < segments.size() && segments.get(found + 1).baseOffset() <= offset) {
        found++;
      }
      return found;
    }
  }
}
