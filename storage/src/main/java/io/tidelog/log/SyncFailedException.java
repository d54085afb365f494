package io.tidelog.log;

import java.io.IOException;

/**
 * A sync of a log failed. The system may have dropped what it could not write, and a later sync may
 * succeed all the same, so nobody knows what is on disk.
 */
final class SyncFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  SyncFailedException(IOException cause) {
    super("a sync failed: " + cause.getMessage(), cause);
  }
}
