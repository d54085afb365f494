package io.tidelog.log;

import io.tidelog.segment.Extent;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A partition at one moment: its segments and its offsets. A reader takes one view and looks at
 * nothing else; a writer publishes the next view through one volatile field. The constructor is the
 * only place that orders the offsets:
 *
 * <pre>
 *  start &lt;= stable &lt;= highWatermark &lt;= end
 * </pre>
 */
public final class LogView {
  private final Segment[] segments;
  private final long start;
  private final long stable;
  private final long highWatermark;
  private final long end;
  private final int endPosition;

  /**
   * @param segments by rising base offset, at least one; the last one is active
   * @param offsets the offsets, which are checked here
   * @param endPosition bytes of the active segment that are published
   */
  LogView(Segment[] segments, Offsets offsets, int endPosition) {
    this(segments, offsets.start, offsets.stable, offsets.highWatermark, offsets.end, endPosition);
  }

  /** The four offsets of a log, each at most the next one. */
  public record Offsets(long start, long stable, long highWatermark, long end) {}

  private LogView(
      Segment[] segments, long start, long stable, long highWatermark, long end, int endPosition) {
    BrokenInvariant.check(segments.length > 0, "a log has a segment", segments.length, 1);
    BrokenInvariant.check(start <= stable, "start offset <= last stable offset", start, stable);
    BrokenInvariant.check(
        stable <= highWatermark, "last stable offset <= high watermark", stable, highWatermark);
    BrokenInvariant.check(highWatermark <= end, "high watermark <= end offset", highWatermark, end);
    this.segments = segments;
    this.start = start;
    this.stable = stable;
    this.highWatermark = highWatermark;
    this.end = end;
    this.endPosition = endPosition;
  }

  /** Log start offset: the first offset that may be read. */
  public long start() {
    return start;
  }

  /** Last stable offset: where a read_committed reader stops. */
  public long stable() {
    return stable;
  }

  /** High watermark: where a read_uncommitted reader stops; all below it is acknowledged. */
  public long highWatermark() {
    return highWatermark;
  }

  /** Log end offset: the offset that the next record gets. */
  public long end() {
    return end;
  }

  /** All four. */
  public Offsets offsets() {
    return new Offsets(start, stable, highWatermark, end);
  }

  /** The offset that bounds a read. */
  public long bound(ReadUpTo upTo) {
    return switch (upTo) {
      case HIGH_WATERMARK -> highWatermark;
      case LAST_STABLE_OFFSET -> stable;
      case LOG_END -> end;
    };
  }

  LogView withEnd(long newEnd, int newEndPosition, long newHighWatermark, long newStable) {
    return new LogView(segments, start, newStable, newHighWatermark, newEnd, newEndPosition);
  }

  LogView withHighWatermark(long newHighWatermark, long newStable) {
    return new LogView(segments, start, newStable, newHighWatermark, end, endPosition);
  }

  LogView withSegments(Segment[] newSegments) {
    return new LogView(
        newSegments,
        start,
        stable,
        highWatermark,
        end,
        newSegments[newSegments.length - 1].sizeBytes());
  }

  /** Without what follows a position in a segment, which becomes the active one. */
  LogView cutAt(int index, int position, long newEnd) {
    return new LogView(
        Arrays.copyOf(segments, index + 1),
        start,
        Math.min(stable, newEnd),
        Math.min(highWatermark, newEnd),
        newEnd,
        position);
  }

  LogView withStart(long newStart) {
    return new LogView(
        segments, newStart, Math.max(stable, newStart), highWatermark, end, endPosition);
  }

  /** The folder that the files lie in. */
  Path directory() {
    return active().path(SegmentFiles.LOG).getParent();
  }

  Segment[] segments() {
    return segments;
  }

  int segmentCount() {
    return segments.length;
  }

  Segment segment(int index) {
    return segments[index];
  }

  Segment active() {
    return segments[segments.length - 1];
  }

  /** The last segment whose base offset is at most this; the first one if there is none. */
  int floor(long offset) {
    if (active().baseOffset() <= offset) {
      return segments.length - 1;
    }
    int low = 0;
    int high = segments.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (segments[middle].baseOffset() <= offset) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return Math.max(high, 0);
  }

  /** Bytes of a segment that are published. */
  int publishedBytes(int index) {
    return index == segments.length - 1 ? endPosition : segments[index].sizeBytes();
  }

  /** What of a segment belongs to this view. */
  Extent extent(int index) {
    return new Extent(publishedBytes(index), endOf(index));
  }

  /** The offset after the last one of a segment. */
  long endOf(int index) {
    return index == segments.length - 1 ? end : segments[index + 1].baseOffset();
  }

  @Override
  public String toString() {
    return "start "
        + start
        + ", last stable "
        + stable
        + ", high watermark "
        + highWatermark
        + ", end "
        + end;
  }
}
