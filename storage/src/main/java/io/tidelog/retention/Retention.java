package io.tidelog.retention;

import io.tidelog.log.LogSettings;
import io.tidelog.log.LogView;
import io.tidelog.log.RetentionClock;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Retention by time, by size and by start offset. Segments go from the oldest on: the first one
 * that no rule condemns ends the choice, and none goes that holds an offset at or above the high
 * watermark. The active segment goes only if all before it go and it has records.
 */
public final class Retention {
  private final LogSettings settings;
  private final long nowMs;

  /** Which rule condemns a segment. */
  public enum Rule {
    /** Its records are older than retention.ms. */
    TIME,
    /** The log is larger than retention.bytes without it. */
    SIZE,
    /** It lies below the log start offset. */
    START_OFFSET
  }

  /**
   * A condemned segment.
   *
   * @param segment the segment
   * @param endOffset the offset after its last one
   * @param rule why
   */
  public record Condemned(Segment segment, long endOffset, Rule rule) {}

  private Retention(LogSettings settings, long nowMs) {
    this.settings = settings;
    this.nowMs = nowMs;
  }

  /**
   * The segments to drop now, oldest first.
   *
   * @param segments of the log, oldest first
   * @param view its offsets, taken before the segments
   */
  public static List<Condemned> choose(
      List<Segment> segments, LogView view, LogSettings settings, long nowMs) throws IOException {
    return new Retention(settings, nowMs).choose(segments, view);
  }

  private List<Condemned> choose(List<Segment> segments, LogView view) throws IOException {
    List<Condemned> condemned = new ArrayList<>();
    long excessBytes = excessBytes(segments);
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      boolean isActive = i == segments.size() - 1;
      long end = isActive ? view.end() : segments.get(i + 1).baseOffset();
      if (end > view.highWatermark() || (isActive && segment.sizeBytes() == 0)) {
        break;
      }
      Rule rule = ruleFor(segment, isActive ? Long.MAX_VALUE : end, view.start(), excessBytes);
      if (rule == null) {
        break;
      }
      excessBytes -= segment.sizeBytes();
      condemned.add(new Condemned(segment, end, rule));
    }
    return condemned;
  }

  private long excessBytes(List<Segment> segments) {
    if (settings.retentionBytes() < 0) {
      return -1;
    }
    return segments.stream().mapToLong(Segment::sizeBytes).sum() - settings.retentionBytes();
  }

  private Rule ruleFor(Segment segment, long end, long start, long excessBytes) throws IOException {
    if (end <= start) {
      return Rule.START_OFFSET;
    }
    if (!settings.deletes()) {
      return null;
    }
    if (excessBytes >= segment.sizeBytes()) {
      return Rule.SIZE;
    }
    return settings.retentionMs() >= 0 && ageMs(segment) > settings.retentionMs()
        ? Rule.TIME
        : null;
  }

  /** May be negative: a record from the future keeps its segment. */
  private long ageMs(Segment segment) throws IOException {
    long newestMs =
        settings.retentionClock() == RetentionClock.RECORD
            ? segment.retentionTimestampMs()
            : segment.modifiedMs();
    return nowMs - newestMs;
  }
}
