package io.tidelog.broker;

import io.tidelog.disk.DiskFullException;
import io.tidelog.disk.DiskLockedException;
import io.tidelog.disk.NotAFileException;
import io.tidelog.net.ListenException;
import io.tidelog.topic.RefusedDirectoryException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * A broker could not start. The message is one sentence that names the file, directory or address
 * and says what to do; nothing is left running or locked.
 */
public final class BrokerStartException extends IOException {
  private static final long serialVersionUID = 1L;

  private BrokerStartException(String message, Throwable cause) {
    super(message, cause);
  }

  static BrokerStartException because(IOException cause) {
    return new BrokerStartException(explain(cause), cause);
  }

  private static String explain(IOException cause) {
    if (cause instanceof DiskLockedException
        || cause instanceof DiskFullException
        || cause instanceof RefusedDirectoryException
        || cause instanceof NotAFileException
        || cause instanceof ListenException) {
      return cause.getMessage();
    }
    if (cause instanceof AccessDeniedException denied) {
      return denied.getFile()
          + " may not be read or written by this user; give access to it or choose another"
          + " directory with log.dirs";
    }
    if (cause instanceof NotDirectoryException || cause instanceof FileAlreadyExistsException) {
      return ((FileSystemException) cause).getFile()
          + " is a file, expected a directory; choose another one with log.dirs";
    }
    if (cause instanceof NoSuchFileException missing) {
      return missing.getFile()
          + " is missing; bring it back, or choose another directory with log.dirs";
    }
    if (cause instanceof FileSystemException file && file.getReason() != null) {
      return file.getFile()
          + " cannot be used ("
          + file.getReason()
          + "); make it readable and writable, or choose another directory with log.dirs";
    }
    return "the data directory cannot be opened: " + cause.getMessage();
  }
}
