package io.tidelog.retention;

import io.tidelog.log.LogSettings;
import io.tidelog.log.LogView;
import io.tidelog.log.RetentionClock;
import io.tidelog.retention.Verdict.Decider;
import io.tidelog.retention.Verdict.Reason;
import io.tidelog.segment.Segment;
import io.tidelog.segment.TimedSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Retention by time, by size and by start offset. Segments go from the oldest on: the first one
 * that no rule condemns ends the choice, and none goes that holds an offset at or above the high
 * watermark. The active segment goes only if all before it go and it has records.
 *
 * <p>The same verdicts choose what goes now and explain why the rest stays.
 */
public final class Retention {
  private final LogSettings settings;
  private final long nowMs;
  private final List<? extends TimedSegment> segments;
  private final LogView.Offsets offsets;

  private Retention(
      List<? extends TimedSegment> segments,
      LogView.Offsets offsets,
      LogSettings settings,
      long nowMs) {
    this.segments = segments;
    this.offsets = offsets;
    this.settings = settings;
    this.nowMs = nowMs;
  }

  /**
   * The segments to drop now, oldest first. No more is read than that takes.
   *
   * @param segments of the log, oldest first
   * @param view its offsets, taken before the segments
   */
  public static List<Verdict> choose(
      List<Segment> segments, LogView view, LogSettings settings, long nowMs) throws IOException {
    Retention retention = new Retention(segments, view.offsets(), settings, nowMs);
    List<Verdict> condemned = new ArrayList<>();
    long excessBytes = retention.excessBytes();
    for (int i = 0; i < segments.size(); i++) {
      Verdict verdict = retention.verdict(i, excessBytes);
      if (!verdict.isCondemned()) {
        break;
      }
      excessBytes -= segments.get(i).sizeBytes();
      condemned.add(verdict);
    }
    return condemned;
  }

  /**
   * What each segment would have coming if all before it went. Those up to the first that stays are
   * what {@link #choose} answers.
   *
   * @param segments of a log, oldest first
   */
  public static List<Verdict> verdicts(
      List<? extends TimedSegment> segments,
      LogView.Offsets offsets,
      LogSettings settings,
      long nowMs)
      throws IOException {
    Retention retention = new Retention(segments, offsets, settings, nowMs);
    List<Verdict> verdicts = new ArrayList<>();
    long excessBytes = retention.excessBytes();
    for (int i = 0; i < segments.size(); i++) {
      verdicts.add(retention.verdict(i, excessBytes));
      excessBytes -= segments.get(i).sizeBytes();
    }
    return verdicts;
  }

  /** How much too large the log is; negative if it is not, or no size is set. */
  private long excessBytes() {
    if (settings.retentionBytes() < 0) {
      return Long.MIN_VALUE / 2;
    }
    return segments.stream().mapToLong(TimedSegment::sizeBytes).sum() - settings.retentionBytes();
  }

  private Verdict verdict(int index, long excessBytes) throws IOException {
    TimedSegment segment = segments.get(index);
    boolean isActive = index == segments.size() - 1;
    long end = isActive ? offsets.end() : segments.get(index + 1).baseOffset();
    if (isActive && segment.sizeBytes() == 0) {
      return timeless(segment, end, Reason.EMPTY);
    }
    if (end > offsets.highWatermark()) {
      return timeless(segment, end, Reason.ABOVE_HIGH_WATERMARK);
    }
    if (!isActive && end <= offsets.start()) {
      return timeless(segment, end, Reason.START_OFFSET);
    }
    if (!settings.deletes()) {
      return timeless(segment, end, Reason.NOT_DELETED_BY_POLICY);
    }
    if (excessBytes >= segment.sizeBytes()) {
      return timeless(segment, end, Reason.SIZE);
    }
    return settings.retentionMs() < 0
        ? timeless(segment, end, Reason.NO_TIME_LIMIT)
        : byTime(segment, end);
  }

  private static Verdict timeless(TimedSegment segment, long end, Reason reason) {
    return new Verdict(segment, end, reason, Verdict.NO_TIME, Decider.NOTHING, Verdict.NEVER);
  }

  /** The age may be negative: a record from the future keeps its segment. */
  private Verdict byTime(TimedSegment segment, long end) throws IOException {
    long newestMs =
        settings.retentionClock() == RetentionClock.RECORD ? segment.maxTimestamp() : -1;
    Decider decider = newestMs >= 0 ? Decider.RECORD : Decider.FILE;
    if (decider == Decider.FILE) {
      newestMs = segment.modifiedMs();
    }
    boolean isOld = nowMs - newestMs > settings.retentionMs();
    return new Verdict(
        segment, end, isOld ? Reason.TIME : Reason.YOUNG, newestMs, decider, dueMs(newestMs));
  }

  private long dueMs(long newestMs) {
    long left = Long.MAX_VALUE - 1 - settings.retentionMs();
    return newestMs > left ? Verdict.NEVER : newestMs + settings.retentionMs() + 1;
  }
}
