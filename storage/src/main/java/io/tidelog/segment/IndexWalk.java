package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Walks the entries of an index file from the first to the last, for tools that show or check it:
 * reads the file as it is, changes nothing and needs no log beside it. Memory is one window.
 *
 * <p>Kafka sets space aside at the end of the index of a segment that it still writes to: zeros.
 * They are no entries, see {@link #unusedBytes}.
 *
 * <p>For one thread.
 */
public final class IndexWalk {
  /** The fields of an entry of an offset index. */
  public static final Layout OFFSET_ENTRY =
      Layout.empty()
          .then("relativeOffset", OffsetIndex.RELATIVE_OFFSET_SIZE)
          .then("position", OffsetIndex.POSITION_SIZE);

  /** The fields of an entry of a time index. */
  public static final Layout TIME_ENTRY =
      Layout.empty()
          .then("timestamp", TimeIndex.TIMESTAMP_SIZE)
          .then("relativeOffset", TimeIndex.RELATIVE_OFFSET_SIZE);

  private static final int WINDOW_BYTES =
      1024 * OffsetIndex.ENTRY_BYTES * TimeIndex.ENTRY_BYTES / Integer.BYTES;

  private final DiskFile file;
  private final EntryKind kind;
  private final long baseOffset;
  private final long sizeBytes;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private long windowAt;
  private long position = -1;
  private long next;
  private long unusedBytes;
  private long first;
  private long second;

  private enum EntryKind {
    OFFSETS(OffsetIndex.ENTRY_BYTES),
    TIMES(TimeIndex.ENTRY_BYTES);

    private final int entryBytes;

    EntryKind(int entryBytes) {
      this.entryBytes = entryBytes;
    }
  }

  private IndexWalk(DiskFile file, EntryKind kind, long baseOffset) throws IOException {
    this.file = file;
    this.kind = kind;
    this.baseOffset = baseOffset;
    this.sizeBytes = file.sizeBytes();
  }

  /** A walk over an offset index of the segment with this base offset. */
  public static IndexWalk offsets(DiskFile file, long baseOffset) throws IOException {
    return new IndexWalk(file, EntryKind.OFFSETS, baseOffset);
  }

  /** A walk over a time index of the segment with this base offset. */
  public static IndexWalk times(DiskFile file, long baseOffset) throws IOException {
    return new IndexWalk(file, EntryKind.TIMES, baseOffset);
  }

  /**
   * Goes to the next entry.
   *
   * @return false after the last one
   * @throws CorruptLogException if the file ends inside of an entry, or the entry is not above the
   *     one before it
   */
  public boolean next() throws IOException {
    long before = first;
    long secondBefore = second;
    position = next;
    if (position >= sizeBytes || isUnusedFromHere()) {
      return false;
    }
    if (sizeBytes - position < kind.entryBytes) {
      throw new CorruptLogException(
          file.path(),
          position,
          "an entry needs %d bytes, the file has %d more"
              .formatted(kind.entryBytes, sizeBytes - position));
    }
    readEntry();
    next = position + kind.entryBytes;
    if (position > 0) {
      requireRising(before, secondBefore);
    }
    return true;
  }

  private void readEntry() throws IOException {
    int at = hold(position);
    switch (kind) {
      case OFFSETS -> {
        first = Integer.toUnsignedLong(window.getInt(at + OffsetIndex.RELATIVE_OFFSET_AT));
        second = window.getInt(at + OffsetIndex.POSITION_AT);
      }
      case TIMES -> {
        first = window.getLong(at + TimeIndex.TIMESTAMP_AT);
        second = Integer.toUnsignedLong(window.getInt(at + TimeIndex.RELATIVE_OFFSET_AT));
      }
    }
  }

  private void requireRising(long firstBefore, long secondBefore) throws CorruptLogException {
    boolean isRising =
        switch (kind) {
          case OFFSETS -> first > firstBefore && second > secondBefore;
          case TIMES -> first > firstBefore && second >= secondBefore;
        };
    if (!isRising) {
      throw new CorruptLogException(
          file.path(),
          position,
          switch (kind) {
            case OFFSETS ->
                "entry is offset %d at position %d, expected more than offset %d at position %d"
                    .formatted(baseOffset + first, second, baseOffset + firstBefore, secondBefore);
            case TIMES ->
                "entry is timestamp %d with offset %d, expected more than %d with offset %d or more"
                    .formatted(first, baseOffset + second, firstBefore, baseOffset + secondBefore);
          });
    }
  }

  /**
   * Whether zeros alone follow, in the place of entries. One entry of zeros at the very start may
   * be an entry: the time 0.
   */
  private boolean isUnusedFromHere() throws IOException {
    if (sizeBytes - position < 2L * kind.entryBytes && position == 0) {
      return false;
    }
    for (long at = position; at < sizeBytes; at++) {
      if (window.get(hold(at)) != 0) {
        return false;
      }
    }
    unusedBytes = sizeBytes - position;
    return true;
  }

  /**
   * Has the byte at this position in the window, with the entry that starts there if it is whole.
   */
  private int hold(long at) throws IOException {
    long needed = Math.min(kind.entryBytes, sizeBytes - at);
    if (at < windowAt || at + needed > windowAt + window.limit()) {
      window.clear();
      windowAt = at;
      file.read(window, at);
      window.flip();
      if (window.limit() < needed) {
        throw new CorruptLogException(
            file.path(), at + window.limit(), "the file was cut while being read");
      }
    }
    return (int) (at - windowAt);
  }

  /** Where the entry at hand starts in the file. */
  public long position() {
    return position;
  }

  /** Offset index: last offset of a batch. Time index: last offset of the batch with the time. */
  public long offset() {
    return baseOffset + (kind == EntryKind.OFFSETS ? first : second);
  }

  /** Offset index: the byte of the log at which the batch starts. */
  public int logPosition() {
    return (int) second;
  }

  /** Time index: the largest timestamp so far, ms. */
  public long timestamp() {
    return first;
  }

  /** Bytes of zeros at the end that are set aside for entries; known after the last entry. */
  public long unusedBytes() {
    return unusedBytes;
  }
}
