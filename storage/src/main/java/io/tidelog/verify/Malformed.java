package io.tidelog.verify;

import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.producer.CorruptSnapshotException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The parts of what is said of a side file that is not as its format says. */
final class Malformed {
  private static final String EXPECTED = ", expected ";

  /** What is said of a file's length, which is no line of it. */
  private static final Pattern BYTES = Pattern.compile("\"[0-9]+ bytes\"");

  private Malformed() {}

  /** A finding about it. */
  static Finding finding(FindingKind kind, MalformedFileException damage) {
    return Finding.of(kind, damage.file(), 0, found(damage), expected(damage));
  }

  /** A finding about a snapshot. */
  static Finding finding(FindingKind kind, Path file, CorruptSnapshotException damage) {
    String text = damage.getMessage();
    int split = text.indexOf(EXPECTED);
    int from = text.indexOf(": found ") + ": found ".length();
    return Finding.of(
        kind,
        file,
        0,
        split < from ? text : text.substring(from, split),
        split < 0 ? "a sound snapshot" : text.substring(split + EXPECTED.length()));
  }

  private static String found(MalformedFileException damage) {
    String text = damage.getMessage();
    int from = text.indexOf(": found ") + ": found ".length();
    int to = text.indexOf(EXPECTED);
    String found = text.substring(from, to);
    return BYTES.matcher(found).matches()
        ? found.replace("\"", "")
        : "line %d: %s".formatted(damage.line(), found);
  }

  private static String expected(MalformedFileException damage) {
    String text = damage.getMessage();
    int from = text.indexOf(EXPECTED) + EXPECTED.length();
    int to = text.indexOf(". ", from);
    return text.substring(from, to < 0 ? text.length() : to);
  }
}
