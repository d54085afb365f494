package io.tidelog.cli.terminal;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a command reads and writes. Text is UTF-8.
 *
 * @param in standard input
 * @param out results alone; buffered, so whoever wants a line to be seen flushes it
 * @param err what a person should know: errors, progress
 * @param errors whether somebody looks at {@code err} while it is written
 */
public record Streams(InputStream in, PrintStream out, PrintStream err, ErrorOutput errors) {
  private static final int OUT_BUFFER_BYTES = 64 * 1024;

  /** What the error output is connected to. */
  public enum ErrorOutput {
    /** A person sees it, so progress may be shown. */
    TERMINAL,
    /** A file or another program gets it. */
    REDIRECTED
  }

  /**
   * Those of the process.
   *
   * @param errors see {@link ErrorOutput}; the launcher finds it out, for Java cannot
   */
  public static Streams ofProcess(ErrorOutput errors) {
    return new Streams(
        new FileInputStream(FileDescriptor.in),
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUT_BUFFER_BYTES),
            false,
            StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        errors);
  }
}
