package io.tidelog.checkpoint;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A small file that is only ever replaced whole. After a power cut at any moment it has its old or
 * its new contents, never a mixture: the new bytes go to {@code <name>.tmp}, are synced, take the
 * name in one rename, and the directory is synced. When {@link #replace} returns, the new contents
 * are durable. An attempt that failed may leave the {@code .tmp}; the next one removes it.
 */
public final class StateFile {
  private static final String TEMPORARY_SUFFIX = ".tmp";

  private final Disk disk;
  private final Path file;
  private final int maxBytes;

  /**
   * @param maxBytes a longer file is refused before it is read
   */
  public StateFile(Disk disk, Path file, int maxBytes) {
    this.disk = disk;
    this.file = file;
    this.maxBytes = maxBytes;
  }

  public Path path() {
    return file;
  }

  public boolean exists() {
    return disk.exists(file);
  }

  /**
   * All bytes, ready to be read.
   *
   * @throws java.nio.file.NoSuchFileException if the file is missing
   */
  public ByteBuffer read() throws IOException {
    try (DiskFile opened = disk.openReadOnly(file)) {
      long sizeBytes = opened.sizeBytes();
      requireSize(sizeBytes);
      ByteBuffer contents = ByteBuffer.allocate((int) sizeBytes);
      opened.read(contents, 0);
      return contents.flip();
    }
  }

  /**
   * Its lines.
   *
   * @throws MalformedFileException if it is longer than such a file may be
   * @throws java.nio.file.NoSuchFileException if the file is missing
   */
  LineReader lines() throws IOException {
    LineReader lines = anyLines();
    try {
      requireSize(lines.sizeBytes());
      return lines;
    } catch (IOException e) {
      lines.close();
      throw e;
    }
  }

  /** Its lines, however many. */
  LineReader anyLines() throws IOException {
    return LineReader.of(disk.openReadOnly(file));
  }

  private void requireSize(long sizeBytes) throws MalformedFileException {
    if (sizeBytes > maxBytes) {
      throw new MalformedFileException(
          file,
          1,
          sizeBytes + " bytes",
          "at most " + maxBytes,
          "This is no such file; restore it.");
    }
  }

  /** Gives the file these contents, durably. On an error the old contents stay. */
  public void replace(ByteBuffer contents) throws IOException {
    if (contents.remaining() > maxBytes) {
      throw new IllegalArgumentException(
          "%s may have %d bytes, not %d".formatted(file, maxBytes, contents.remaining()));
    }
    Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY_SUFFIX);
    if (disk.exists(temporary)) {
      disk.delete(temporary);
    }
    try (DiskFile created = disk.create(temporary)) {
      created.write(contents, 0);
      created.sync();
    }
    disk.rename(temporary, file);
    disk.syncDirectory(file.getParent());
  }

  /** Removes the file, durably; no error if it is missing. */
  public void remove() throws IOException {
    if (disk.exists(file)) {
      disk.delete(file);
      disk.syncDirectory(file.getParent());
    }
  }
}
