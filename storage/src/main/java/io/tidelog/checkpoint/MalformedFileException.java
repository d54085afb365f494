package io.tidelog.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/** A side file is not as its format says. The file was left as it is. */
public final class MalformedFileException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_CHARS = 80;

  private final transient Path file;
  private final String finding;
  private final int line;

  /**
   * @param line from 1
   * @param found what stands there
   * @param expected what should stand there
   * @param advice what a person may do about it
   */
  public MalformedFileException(Path file, int line, String found, String expected, String advice) {
    super("%s %s. %s".formatted(file, sentence(line, found, expected), advice));
    this.finding = sentence(line, found, expected);
    this.file = file;
    this.line = line;
  }

  private static String sentence(int line, String found, String expected) {
    return "line %d: found %s, expected %s".formatted(line, shown(found), expected);
  }

  private static String shown(String found) {
    String cut = found.length() <= SHOWN_CHARS ? found : found.substring(0, SHOWN_CHARS) + "…";
    return '"' + cut.replaceAll("\\p{Cntrl}", "�") + '"';
  }

  public Path file() {
    return file;
  }

  /** What is wrong, without the file's name and without advice. */
  public String finding() {
    return finding;
  }

  /** From 1. */
  public int line() {
    return line;
  }
}
