package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.segment.IndexFile.Width;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Sparse map from offset to file position; one entry about every {@code index.interval.bytes} of
 * log.
 *
 * <pre>
 *  at  size  field           meaning
 *   0     4  relativeOffset  last offset of a batch - baseOffset, strictly rising
 *   4     4  position        byte in the .log file at which that batch starts, strictly rising
 * </pre>
 *
 * <p>Big-endian, no header, no checksum: it is a cache. Whoever uses an entry checks it against the
 * log; if it is wrong, or a rule above is broken, the index is rebuilt from the log.
 */
final class OffsetIndex {
  static final int RELATIVE_OFFSET_AT = 0;
  static final int RELATIVE_OFFSET_SIZE = 4;
  static final int POSITION_AT = 4;
  static final int POSITION_SIZE = 4;
  static final int ENTRY_BYTES = 8;

  private final long baseOffset;
  private final IndexFile file;

  private OffsetIndex(long baseOffset, IndexFile file) {
    this.baseOffset = baseOffset;
    this.file = file;
  }

  static OffsetIndex create(Disk disk, Path path, long baseOffset) throws IOException {
    return new OffsetIndex(baseOffset, IndexFile.create(disk, path, ENTRY_BYTES));
  }

  static OffsetIndex open(Disk disk, Path path, long baseOffset) throws IOException {
    return new OffsetIndex(baseOffset, IndexFile.openPadded(disk, path, ENTRY_BYTES));
  }

  /** One that is only looked at: its file stays as it is. */
  static OffsetIndex view(Disk disk, Path path, long baseOffset) throws IOException {
    return new OffsetIndex(baseOffset, IndexFile.viewPadded(disk, path, ENTRY_BYTES));
  }

  IndexFile file() {
    return file;
  }

  int entries() {
    return file.entries();
  }

  long offset(int entry) throws IOException {
    return baseOffset + Integer.toUnsignedLong(file.intAt(entry, RELATIVE_OFFSET_AT));
  }

  int position(int entry) throws IOException {
    return file.intAt(entry, POSITION_AT);
  }

  void append(long offset, int position) {
    ByteBuffer room = file.roomForOne();
    room.putInt((int) (offset - baseOffset)).putInt(position);
    file.published();
  }

  /** The last entry whose offset is at most this, or -1. */
  int floorByOffset(long offset) throws IOException {
    return file.floor(RELATIVE_OFFSET_AT, Width.UNSIGNED_INT, offset - baseOffset);
  }

  long baseOffset() {
    return baseOffset;
  }

  /** The last entry whose position is at most this, or -1. */
  int floorByPosition(int position) throws IOException {
    return file.floor(POSITION_AT, Width.UNSIGNED_INT, position);
  }
}
