package io.tidelog.verify;

import io.tidelog.producer.OffsetRange;
import io.tidelog.segment.SegmentFiles;
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

  /**
   * By folder and segment, the log before what is made from it, so that a cause comes before its
   * consequences; then by file and position, the worst first.
   */
  static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::folder)
          .thenComparing(Finding::stem)
          .thenComparing(Finding::isOfLog, Comparator.reverseOrder())
          .thenComparing(Finding::file)
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

  private String folder() {
    return file.getParent() == null ? "" : file.getParent().toString();
  }

  /** The name up to its first full stop, which the files of a segment have in common. */
  private String stem() {
    String name = String.valueOf(file.getFileName());
    int end = name.indexOf('.');
    return end < 0 ? name : name.substring(0, end);
  }

  private boolean isOfLog() {
    return file.toString().endsWith(SegmentFiles.LOG);
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
