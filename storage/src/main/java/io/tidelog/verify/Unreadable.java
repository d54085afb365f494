package io.tidelog.verify;

import io.tidelog.disk.NotAFileException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;

/**
 * What is said of a file that cannot be read. A check names that file and goes on without it, and
 * concludes nothing from what it may hold.
 */
final class Unreadable {
  private Unreadable() {}

  /** A finding about the whole file. */
  static Finding finding(Path file, IOException why) {
    return finding(file, 0, why);
  }

  /** A finding about the byte from which on it cannot be read. */
  static Finding finding(Path file, long position, IOException why) {
    return Finding.of(FindingKind.UNREADABLE, file, position, reason(why), "a file to read");
  }

  private static String reason(IOException why) {
    if (why instanceof AccessDeniedException) {
      return "a file that this user may not read";
    }
    return why instanceof NotAFileException ? "a directory" : why.toString();
  }
}
