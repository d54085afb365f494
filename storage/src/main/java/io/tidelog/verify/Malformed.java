package io.tidelog.verify;

import io.tidelog.checkpoint.MalformedFileException;

/** The parts of what is said of a side file that is not as its format says. */
final class Malformed {
  private static final String EXPECTED = ", expected ";

  private Malformed() {}

  /** A finding about it. */
  static Finding finding(FindingKind kind, MalformedFileException damage) {
    return Finding.of(kind, damage.file(), 0, found(damage), expected(damage));
  }

  private static String found(MalformedFileException damage) {
    String text = damage.getMessage();
    int from = text.indexOf(": found ") + ": found ".length();
    int to = text.indexOf(EXPECTED);
    return "line %d: %s".formatted(damage.line(), text.substring(from, to));
  }

  private static String expected(MalformedFileException damage) {
    String text = damage.getMessage();
    int from = text.indexOf(EXPECTED) + EXPECTED.length();
    int to = text.indexOf(". ", from);
    return text.substring(from, to < 0 ? text.length() : to);
  }
}
