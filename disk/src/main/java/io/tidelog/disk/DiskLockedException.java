package io.tidelog.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Somebody else holds the lock on a file. */
public final class DiskLockedException extends IOException {
  private static final long serialVersionUID = 1L;

  public DiskLockedException(Path file) {
    super(
        file + " is locked by another process or by another open store in this one; stop it first");
  }
}
