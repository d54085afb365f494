package io.tidelog.explain;

import java.time.Duration;
import java.time.Instant;

/** How times are told in a sentence. */
final class Spoken {
  private static final long SECOND_MS = 1_000;

  private Spoken() {}

  /** A moment, in UTC. */
  static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  /** How far a moment lies ahead, or behind. */
  static String distance(long fromMs, long toMs) {
    if (toMs == fromMs) {
      return "now";
    }
    return toMs > fromMs ? "in " + span(toMs - fromMs) : span(fromMs - toMs) + " ago";
  }

  /** A length of time in its two largest units. */
  static String span(long ms) {
    Duration span = Duration.ofMillis(ms);
    if (ms < SECOND_MS) {
      return ms + " ms";
    }
    if (span.toDays() > 0) {
      return twoUnits(span.toDays(), "d", span.toHoursPart(), "h");
    }
    if (span.toHours() > 0) {
      return twoUnits(span.toHours(), "h", span.toMinutesPart(), "min");
    }
    return span.toMinutes() > 0
        ? twoUnits(span.toMinutes(), "min", span.toSecondsPart(), "s")
        : span.toSeconds() + " s";
  }

  private static String twoUnits(long large, String largeUnit, long small, String smallUnit) {
    return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }
}
