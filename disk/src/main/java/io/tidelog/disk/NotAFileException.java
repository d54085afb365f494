package io.tidelog.disk;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Where a file should be there is a directory, or the other way round. */
public final class NotAFileException extends FileSystemException {
  private static final long serialVersionUID = 1L;

  private NotAFileException(Path path, String reason) {
    super(path.toString(), null, reason);
  }

  /** A directory in the place of a file. */
  public static NotAFileException directory(Path path) {
    return new NotAFileException(
        path, "is a directory, expected a file; move it away, and put the file back");
  }

  /** A file in the place of a directory. */
  public static NotAFileException file(Path path) {
    return new NotAFileException(
        path, "is a file, expected a directory; move it away, and put the directory back");
  }

  /** Which one, and what to do. */
  @Override
  public String getMessage() {
    return getFile() + " " + getReason();
  }
}
