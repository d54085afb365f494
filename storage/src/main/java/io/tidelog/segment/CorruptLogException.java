package io.tidelog.segment;

import java.io.IOException;
import java.nio.file.Path;

/** Damage found in a file on disk: where, what was found and what was expected. */
public class CorruptLogException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path file;
  private final long position;
  private final String finding;

  /**
   * @param file the damaged file
   * @param position byte at which the damaged thing starts
   * @param finding what was found and what was expected, as the rest of a sentence
   */
  public CorruptLogException(Path file, long position, String finding) {
    super(file + " at byte " + position + ": " + finding);
    this.file = file;
    this.position = position;
    this.finding = finding;
  }

  public Path file() {
    return file;
  }

  public long position() {
    return position;
  }

  /** What was found and what was expected, as the rest of a sentence. */
  public String finding() {
    return finding;
  }
}
