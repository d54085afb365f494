package io.tidelog.topic;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a snapshot of the metadata: {@code <end offset, 20 digits>-<epoch, 10
 * digits>.checkpoint}.
 *
 * @param endOffset what the records below this offset of the metadata log add up to is in it
 * @param epoch leader epoch of the last of these records
 */
record SnapshotName(long endOffset, int epoch) implements Comparable<SnapshotName> {
  /**
   * What Kafka's format command writes: not a snapshot of a log, but the records that a new log is
   * to begin with.
   */
  static final SnapshotName BOOTSTRAP = new SnapshotName(0, 0);

  private static final Pattern FORM = Pattern.compile("([0-9]{20})-([0-9]{10})\\.checkpoint");
  private static final String UNFINISHED = ".checkpoint.part";
  private static final Comparator<SnapshotName> BY_AGE =
      Comparator.comparingLong(SnapshotName::endOffset).thenComparingInt(SnapshotName::epoch);

  /** The snapshot that a file's name stands for, if it has this form. */
  static Optional<SnapshotName> parse(String fileName) {
    Matcher matcher = FORM.matcher(fileName);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new SnapshotName(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2))));
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  /** Whether a file of this name is a snapshot that was never finished, ours or Kafka's. */
  static boolean isUnfinished(String fileName) {
    return fileName.endsWith(UNFINISHED);
  }

  String fileName() {
    return "%020d-%010d.checkpoint".formatted(endOffset, epoch);
  }

  /** The name while the file is being written. */
  String unfinishedName() {
    return fileName() + ".part";
  }

  @Override
  public int compareTo(SnapshotName other) {
    return BY_AGE.compare(this, other);
  }
}
