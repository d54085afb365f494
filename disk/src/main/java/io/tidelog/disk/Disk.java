package io.tidelog.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system reduced to the verbs that a log needs. What is written or renamed is durable only
 * after the matching sync: {@link DiskFile#sync} for the bytes and the length of a file, {@link
 * #syncDirectory} for the names in a directory (creations, renames, deletions).
 *
 * <p>No method that can fail returns a boolean. A missing file is a {@link
 * java.nio.file.NoSuchFileException}, a full disk a {@link DiskFullException}.
 */
public interface Disk {

  /** The names in a directory, sorted. */
  List<String> list(Path directory) throws IOException;

  /** Whether a file or directory of this name exists. */
  boolean exists(Path path);

  /** Whether this name exists and is a directory. */
  boolean isDirectory(Path path);

  /** Length of a file in bytes. */
  long sizeBytes(Path file) throws IOException;

  /** When a file's contents last changed, in milliseconds since the epoch. */
  long modifiedMs(Path file) throws IOException;

  /** Sets when a file's contents last changed: for one that is made anew from what others held. */
  void setModifiedMs(Path file, long timeMs) throws IOException;

  /** Creates a directory and those above it that are missing; no error if it is there. */
  void createDirectories(Path directory) throws IOException;

  /**
   * Creates an empty file, open for reading and writing.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is a file or directory of this name
   */
  DiskFile create(Path file) throws IOException;

  /** Opens an existing file for reading and writing. */
  DiskFile open(Path file) throws IOException;

  /** Opens an existing file for reading. */
  DiskFile openReadOnly(Path file) throws IOException;

  /**
   * Renames a file or directory in one step; a directory goes with all below it, and open files
   * stay open. A file replaces a file of the new name, a directory an empty directory.
   */
  void rename(Path from, Path to) throws IOException;

  /**
   * Removes a file or an empty directory. An open file can still be read and written.
   *
   * @throws java.nio.file.DirectoryNotEmptyException if there is something in the directory
   */
  void delete(Path path) throws IOException;

  /** Makes the names in a directory durable. */
  void syncDirectory(Path directory) throws IOException;

  /**
   * Takes an exclusive lock on a file, creating it if needed, until the result is closed.
   *
   * @throws DiskLockedException at once if this or another process holds it
   */
  DiskLock lock(Path file) throws IOException;

  /** Bytes that may still be written on the file system that holds this path. */
  long usableBytes(Path path) throws IOException;

  /** Size in bytes of the file system that holds this path. */
  long totalBytes(Path path) throws IOException;
}
