package io.tidelog.cli.client;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * Where to begin to read: {@code beginning}, {@code end}, an offset, or a time.
 *
 * @param kind which of these
 * @param number the offset, or the time in milliseconds since the epoch
 */
record StartingPoint(Kind kind, long number) {

  enum Kind {
    BEGINNING,
    END,
    OFFSET,
    TIME
  }

  /**
   * Reads what the user wrote. A time without zone is one of the zone passed in.
   *
   * @throws IllegalArgumentException if it is nothing of the kind
   */
  static StartingPoint parse(String text, ZoneId zone) {
    switch (text) {
      case "beginning":
        return new StartingPoint(Kind.BEGINNING, 0);
      case "end":
        return new StartingPoint(Kind.END, 0);
      default:
        return text.chars().allMatch(Character::isDigit)
            ? new StartingPoint(Kind.OFFSET, Long.parseLong(text))
            : new StartingPoint(Kind.TIME, timeMs(text, zone));
    }
  }

  private static long timeMs(String text, ZoneId zone) {
    try {
      if (text.endsWith("Z")) {
        return Instant.parse(text).toEpochMilli();
      }
      return (text.contains("T") ? LocalDateTime.parse(text) : LocalDate.parse(text).atStartOfDay())
          .atZone(zone)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException notATime) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is neither beginning, end, an offset nor a time such as 2024-05-31,"
              + " 2024-05-31T12:00:00 or 2024-05-31T12:00:00Z",
          notATime);
    }
  }
}
