package io.tidelog.verify;

import io.tidelog.producer.OffsetRange;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;

/**
 * One thing that was found.
 *
 * @param kind what it is, what it means, what to do
 * @param file the file or folder
 * @param position byte at which it starts; 0 where the file as a whole is meant
 * @param offsets the offsets that it concerns, where it concerns some
 * @param found what is there
 * @param expected what should be there
 */
public record Finding(
    FindingKind kind,
    Path file,
    long position,
    Optional<OffsetRange> offsets,
    String found,
    String expected) {

  /** By file, then by position, the worst first. */
  static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::file)
          .thenComparingLong(Finding::position)
          .thenComparing(Finding::severity, Comparator.reverseOrder())
          .thenComparing(Finding::kind)
          .thenComparing(Finding::found);

  /** One that concerns no offsets. */
  static Finding of(FindingKind kind, Path file, long position, String found, String expected) {
    return new Finding(kind, file, position, Optional.empty(), found, expected);
  }

  /** The same, with the offsets that it concerns. */
  Finding about(long start, long end) {
    return start < end
        ? new Finding(
            kind, file, position, Optional.of(new OffsetRange(start, end)), found, expected)
        : this;
  }

  public Severity severity() {
    return kind.severity();
  }

  /** File, position, what was found and what was expected, in one sentence. */
  @Override
  public String toString() {
    return "%s at byte %d: found %s, expected %s%s"
        .formatted(
            file,
            position,
            found,
            expected,
            offsets
                .map(range -> " (offsets %d to %d)".formatted(range.start(), range.end() - 1))
                .orElse(""));
  }
}
