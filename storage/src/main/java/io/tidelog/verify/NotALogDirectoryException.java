package io.tidelog.verify;

import java.io.IOException;
import java.nio.file.Path;

/** A directory holds nothing that could be checked. */
public final class NotALogDirectoryException extends IOException {
  private static final long serialVersionUID = 1L;

  NotALogDirectoryException(Path directory) {
    super(
        directory
            + " is neither a data directory nor the folder of a partition, such as orders-0;"
            + " name one of these");
  }
}
