package io.tidelog.log;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Copies the files of one closed segment to another folder, durably, the log piece by piece. Holds
 * a pin meanwhile, so that the segment may be dropped.
 */
final class SegmentCopy implements Closeable {
  private static final List<String> SIDE_FILES =
      List.of(
          SegmentFiles.OFFSET_INDEX,
          SegmentFiles.TIME_INDEX,
          SegmentFiles.TXN_INDEX,
          SegmentFiles.SNAPSHOT);

  private final Disk disk;
  private final Segment segment;
  private final Path folder;
  private final DiskFile copy;
  private int position;

  private SegmentCopy(Disk disk, Segment segment, Path folder, DiskFile copy) {
    this.disk = disk;
    this.segment = segment;
    this.folder = folder;
    this.copy = copy;
  }

  /** Begins to copy a segment that is pinned already; the copy gives up the pin when closed. */
  static SegmentCopy begin(Disk disk, Segment segment, Path folder) throws IOException {
    try {
      Path log = SegmentFiles.path(folder, segment.baseOffset(), SegmentFiles.LOG);
      return new SegmentCopy(disk, segment, folder, FileCopy.create(disk, log));
    } catch (IOException e) {
      segment.unpin();
      throw e;
    }
  }

  Segment segment() {
    return segment;
  }

  /** Bytes of the log that are copied. */
  int copiedBytes() {
    return position;
  }

  /**
   * Copies the next piece of the log; after the last one the other files too.
   *
   * @param maxBytes of the log, at most
   * @return whether all of the segment is copied
   */
  boolean next(ByteBuffer buffer, int maxBytes) throws IOException {
    int stop = (int) Math.min(segment.sizeBytes(), (long) position + maxBytes);
    while (position < stop) {
      segment.read(buffer.clear().limit(Math.min(buffer.capacity(), stop - position)), position);
      int bytes = buffer.position();
      if (bytes == 0) {
        throw new IOException(
            "%s ends at byte %d, expected %d".formatted(segment, position, segment.sizeBytes()));
      }
      copy.write(buffer.flip(), position);
      position += bytes;
    }
    copy.sync();
    if (position < segment.sizeBytes()) {
      return false;
    }
    copySideFiles(disk, segment, folder, buffer);
    return true;
  }

  private static void copySideFiles(Disk disk, Segment segment, Path folder, ByteBuffer buffer)
      throws IOException {
    for (String suffix : SIDE_FILES) {
      Path from = segment.path(suffix);
      Path to = folder.resolve(from.getFileName());
      if (disk.exists(from)) {
        FileCopy.copy(disk, from, to, buffer);
      } else if (disk.exists(to)) {
        disk.delete(to);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      copy.close();
    } finally {
      segment.unpin();
    }
  }
}
