package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.segment.IndexFile.Width;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Sparse map from time to offset: up to which offset no timestamp is larger.
 *
 * <pre>
 *  at  size  field           meaning
 *   0     8  timestamp       largest timestamp of the segment so far, ms, strictly rising
 *   8     4  relativeOffset  last offset of the first batch that has it - baseOffset, rising
 * </pre>
 *
 * <p>Big-endian, no header, no checksum: a cache, as the offset index is. An entry is made when the
 * offset index makes one and the largest timestamp has risen since; when a segment is closed its
 * largest timestamp gets an entry.
 */
final class TimeIndex {
  static final int TIMESTAMP_AT = 0;
  static final int TIMESTAMP_SIZE = 8;
  static final int RELATIVE_OFFSET_AT = 8;
  static final int RELATIVE_OFFSET_SIZE = 4;
  static final int ENTRY_BYTES = 12;

  private final long baseOffset;
  private final IndexFile file;

  private TimeIndex(long baseOffset, IndexFile file) {
    this.baseOffset = baseOffset;
    this.file = file;
  }

  static TimeIndex create(Disk disk, Path path, long baseOffset) throws IOException {
    return new TimeIndex(baseOffset, IndexFile.create(disk, path, ENTRY_BYTES));
  }

  static TimeIndex open(Disk disk, Path path, long baseOffset) throws IOException {
    return new TimeIndex(baseOffset, IndexFile.openPadded(disk, path, ENTRY_BYTES));
  }

  /** One that is only looked at: its file stays as it is. */
  static TimeIndex view(Disk disk, Path path, long baseOffset) throws IOException {
    return new TimeIndex(baseOffset, IndexFile.viewPadded(disk, path, ENTRY_BYTES));
  }

  IndexFile file() {
    return file;
  }

  int entries() {
    return file.entries();
  }

  long timestamp(int entry) throws IOException {
    return file.longAt(entry, TIMESTAMP_AT);
  }

  long offset(int entry) throws IOException {
    return baseOffset + Integer.toUnsignedLong(file.intAt(entry, RELATIVE_OFFSET_AT));
  }

  /** Adds an entry unless the last one has this timestamp, or a larger one, already. */
  void appendIfLater(long timestamp, long offset) throws IOException {
    int last = file.entries() - 1;
    if (timestamp <= (last < 0 ? -1 : timestamp(last))) {
      return;
    }
    ByteBuffer room = file.roomForOne();
    room.putLong(timestamp).putInt((int) (offset - baseOffset));
    file.published();
  }

  /** The last entry whose timestamp is at most this, or -1. */
  int floorByTimestamp(long timestamp) throws IOException {
    return file.floor(TIMESTAMP_AT, Width.LONG, timestamp);
  }
}
