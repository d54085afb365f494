package io.tidelog.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

/**
 * The text form that offset and leader-epoch checkpoints share. Each line ends with a line feed.
 *
 * <pre>
 *  line     field    meaning
 *     1     version  0
 *     2     count    how many lines follow
 *  3, 4, …  entry    fields separated by one space
 * </pre>
 *
 * A missing file, an empty one and one that ends before its count all stand for no entries, as in
 * Kafka, which creates the file empty.
 */
final class CheckpointLines<T> {
  private static final String VERSION = "0";
  private static final int MAX_BYTES = 256 << 20;

  /** How one entry is written on a line. */
  interface Format<T> {
    void append(StringBuilder line, T entry);

    /**
     * Reads the fields of a line.
     *
     * @throws IllegalArgumentException if they are not those of an entry
     */
    T parse(String[] fields);

    /** The fields of a line, for a message. */
    String expected();

    /** What a person may do about a file that cannot be read. */
    String advice();
  }

  private final StateFile file;
  private final Format<T> format;

  CheckpointLines(StateFile file, Format<T> format) {
    this.file = file;
    this.format = format;
  }

  static int maxBytes() {
    return MAX_BYTES;
  }

  void write(Collection<T> entries) throws IOException {
    StringBuilder text =
        new StringBuilder(VERSION).append('\n').append(entries.size()).append('\n');
    for (T entry : entries) {
      format.append(text, entry);
      text.append('\n');
    }
    file.replace(StandardCharsets.UTF_8.encode(text.toString()));
  }

  List<T> read() throws IOException {
    try (LineReader lines = file.lines()) {
      String version = lines.next();
      if (version != null && !version.equals(VERSION)) {
        throw malformed(1, version, "version " + VERSION);
      }
      String count = lines.next();
      return count == null ? List.of() : entries(count, lines);
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  /**
   * The entries of a damaged file that can be read all the same.
   *
   * @param wanted which of them
   */
  List<T> readSound(Predicate<T> wanted) throws IOException {
    List<T> sound = new ArrayList<>();
    try (LineReader lines = file.anyLines()) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        try {
          T entry = format.parse(line.split("\\s+"));
          if (wanted.test(entry)) {
            sound.add(entry);
          }
        } catch (IllegalArgumentException damaged) {
          // The other lines count.
        }
      }
    }
    return sound;
  }

  /**
   * For a file that has been written: here an empty one, or one without a count, is damage.
   *
   * @throws MalformedFileException if there is nothing in it
   */
  void requireNotEmpty() throws IOException {
    if (!file.exists()) {
      return;
    }
    try (LineReader lines = file.lines()) {
      if (lines.next() == null) {
        throw malformed(1, "", "version " + VERSION);
      }
      if (lines.next() == null) {
        throw malformed(2, "", "a count");
      }
    }
  }

  /** Whether there is such a file. */
  boolean exists() {
    return file.exists();
  }

  private List<T> entries(String count, LineReader lines) throws IOException {
    List<T> entries = new ArrayList<>();
    for (String line = lines.next(); line != null; line = lines.next()) {
      if (lines.isCutOff()) { // of a number the last digits may be missing
        throw malformed(entries.size() + 3, line, format.expected() + ", and a line feed");
      }
      try {
        entries.add(format.parse(line.split("\\s+")));
      } catch (IllegalArgumentException e) {
        throw malformed(entries.size() + 3, line, format.expected());
      }
    }
    if (!count.equals(Integer.toString(entries.size()))) {
      throw malformed(2, count, "the number of lines that follow, " + entries.size());
    }
    return entries;
  }

  private MalformedFileException malformed(int line, String found, String expected) {
    return new MalformedFileException(file.path(), line, found, expected, format.advice());
  }

  /**
   * A number that is not negative.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  static long offset(String text) {
    long value = Long.parseLong(text);
    if (value < 0) {
      throw new IllegalArgumentException(text + " is below 0");
    }
    return value;
  }

  /** As {@link #offset}, within an int. */
  static int number(String text) {
    return Integer.parseInt(Long.toString(offset(text)));
  }

  /**
   * Checks how many fields a line has.
   *
   * @throws IllegalArgumentException if there are more or fewer
   */
  static void requireFields(String[] fields, int count) {
    if (fields.length != count) {
      throw new IllegalArgumentException(fields.length + " fields instead of " + count);
    }
  }
}
