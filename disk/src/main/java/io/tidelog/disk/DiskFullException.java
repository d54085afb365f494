package io.tidelog.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A write was refused because the file system has no room. Bytes written before it in the same call
 * may be there.
 */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1L;

  public DiskFullException(Path file, Throwable cause) {
    super("no space left on the file system of " + file + "; free some and try again", cause);
  }
}
