package io.tidelog.verify;

import java.io.IOException;
import java.nio.file.Path;

/** A file became shorter while it was read, or a broker is at work on it. */
final class CutWhileReadException extends IOException {
  private static final long serialVersionUID = 1L;

  CutWhileReadException(Path file, long position) {
    super(file + " was cut below byte " + position + " while it was read");
  }
}
