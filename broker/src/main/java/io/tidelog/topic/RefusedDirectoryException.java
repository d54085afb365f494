package io.tidelog.topic;

import java.io.IOException;

/**
 * A data directory cannot be served here, and nothing in it was changed. The message is one
 * sentence that names what was found, and what to do.
 */
public final class RefusedDirectoryException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedDirectoryException(String message) {
    super(message);
  }

  RefusedDirectoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
