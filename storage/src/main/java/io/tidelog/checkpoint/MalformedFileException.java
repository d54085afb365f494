package io.tidelog.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/** A side file is not as its format says. The file was left as it is. */
public final class MalformedFileException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARS = 80;

  private final transient Path file;
  private final int line;

  /**
   * @param line from 1
   * @param found what stands there
   * @param expected what should stand there
   * @param advice what a person may do about it
   */
  public MalformedFileException(Path file, int line, String found, String expected, String advice) {
    super(
        "%s line %d: found %s, expected %s. %s"
            .formatted(file, line, shown(found), expected, advice));
    this.file = file;
    this.line = line;
  }

  private static String shown(String found) {
    String cut = found.length() <= SHOWN_CHARS ? found : found.substring(0, SHOWN_CHARS) + "…";
    return '"' + cut.replaceAll("\\p{Cntrl}", "�") + '"';
  }

  public Path file() {
    return file;
  }

  /** From 1. */
  public int line() {
    return line;
  }
}
