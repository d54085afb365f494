package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The two indexes of a segment and what they say about it. Both are caches of the {@code .log}
 * file: they are checked against it when they are taken up, each entry is checked again when a
 * search relies on it, and whatever is wrong makes {@link #rebuild} necessary.
 */
final class SegmentIndexes {
  private final OffsetIndex offsets;
  private final TimeIndex times;
  private final int intervalBytes;
  private int lastIndexedPosition;
  private long maxTimestamp = RecordBatch.NO_TIMESTAMP;
  private long offsetOfMaxTimestamp;

  private SegmentIndexes(OffsetIndex offsets, TimeIndex times, long baseOffset, int intervalBytes) {
    this.offsets = offsets;
    this.times = times;
    this.intervalBytes = intervalBytes;
    this.offsetOfMaxTimestamp = baseOffset;
  }

  /** Starts two empty indexes, in place of what is there. */
  static SegmentIndexes create(Disk disk, Path directory, long baseOffset, int intervalBytes)
      throws IOException {
    return new SegmentIndexes(
        OffsetIndex.create(
            disk, SegmentFiles.path(directory, baseOffset, SegmentFiles.OFFSET_INDEX), baseOffset),
        TimeIndex.create(
            disk, SegmentFiles.path(directory, baseOffset, SegmentFiles.TIME_INDEX), baseOffset),
        baseOffset,
        intervalBytes);
  }

  /**
   * Takes up the indexes that a clean stop left.
   *
   * @throws CorruptLogException if one is missing or does not fit the log; the message names the
   *     file, the entry and the reason
   */
  static SegmentIndexes open(
      Disk disk, Path directory, DiskFile log, int logBytes, long baseOffset, int intervalBytes)
      throws IOException {
    Path offsetPath = SegmentFiles.path(directory, baseOffset, SegmentFiles.OFFSET_INDEX);
    Path timePath = SegmentFiles.path(directory, baseOffset, SegmentFiles.TIME_INDEX);
    try {
      SegmentIndexes indexes =
          new SegmentIndexes(
              OffsetIndex.open(disk, offsetPath, baseOffset),
              TimeIndex.open(disk, timePath, baseOffset),
              baseOffset,
              intervalBytes);
      indexes.check(log, logBytes);
      return indexes;
    } catch (NoSuchFileException missing) {
      throw new CorruptLogException(Path.of(missing.getFile()), 0, "the file is missing");
    }
  }

  /** Makes both indexes anew from the headers of the log's batches. */
  static SegmentIndexes rebuild(
      Disk disk, Path directory, DiskFile log, int logBytes, long baseOffset, int intervalBytes)
      throws IOException {
    SegmentIndexes indexes = create(disk, directory, baseOffset, intervalBytes);
    BatchWalk walk = BatchWalk.scan(log, 0, logBytes);
    while (walk.next()) {
      indexes.note(walk.batch(), walk.position());
    }
    return indexes;
  }

  /** Takes note of a batch that starts at a position: the rule by which entries are made. */
  void note(RecordBatch batch, int position) throws IOException {
    long lastOffset = batch.lastOffset();
    if (batch.maxTimestamp() > maxTimestamp) {
      maxTimestamp = batch.maxTimestamp();
      offsetOfMaxTimestamp = lastOffset;
    }
    if (position - lastIndexedPosition > intervalBytes) {
      offsets.append(lastOffset, position);
      times.appendIfLater(maxTimestamp, offsetOfMaxTimestamp);
      lastIndexedPosition = position;
    }
  }

  /** Largest timestamp noted, or -1. */
  long maxTimestamp() {
    return maxTimestamp;
  }

  /** Last offset of the first batch that has it. */
  long offsetOfMaxTimestamp() {
    return offsetOfMaxTimestamp;
  }

  /**
   * Whether no entry may be added to an index of at most this many bytes; the time index keeps one
   * for the closing entry.
   */
  boolean isFull(int maxIndexBytes) {
    return offsets.entries() >= maxIndexBytes / OffsetIndex.ENTRY_BYTES
        || times.entries() >= maxIndexBytes / TimeIndex.ENTRY_BYTES - 1;
  }

  /** A position at or before the batch that holds this offset. */
  int startFor(long offset, DiskFile log, int logBytes) throws IOException {
    int entry = offsets.floorByOffset(offset);
    return entry < 0 ? 0 : checkedPosition(entry, log, logBytes);
  }

  /** The start of the last indexed batch at or before a position. */
  int startAtOrBefore(int position, DiskFile log, int logBytes) throws IOException {
    int entry = offsets.floorByPosition(position);
    return entry < 0 ? 0 : checkedPosition(entry, log, logBytes);
  }

  /**
   * An offset such that no record before its batch has a timestamp this large; at least the base
   * offset.
   */
  long offsetBefore(long timestamp, long baseOffset) throws IOException {
    int entry = times.floorByTimestamp(timestamp);
    return entry < 0 ? baseOffset : times.offset(entry);
  }

  /** Gives the largest timestamp its entry, as the last step of a segment's active life. */
  void seal() throws IOException {
    times.appendIfLater(maxTimestamp, offsetOfMaxTimestamp);
  }

  /** Writes all entries to the files. */
  void write() throws IOException {
    offsets.file().write();
    times.file().write();
  }

  /** Makes both files durable. */
  void sync() throws IOException {
    offsets.file().sync();
    times.file().sync();
  }

  private int checkedPosition(int entry, DiskFile log, int logBytes) throws IOException {
    int position = offsets.position(entry);
    long offset = offsets.offset(entry);
    if (position < 0 || position > logBytes - RecordBatch.HEADER_BYTES) {
      throw damaged(
          offsets.file(),
          entry,
          OffsetIndex.ENTRY_BYTES,
          "position " + position + " is outside of the log's " + logBytes + " bytes");
    }
    BatchWalk walk = BatchWalk.headers(log, position, logBytes);
    try {
      walk.next();
    } catch (CorruptLogException notABatch) {
      throw damaged(
          offsets.file(),
          entry,
          OffsetIndex.ENTRY_BYTES,
          "no batch starts at position " + position);
    }
    if (walk.batch().lastOffset() != offset) {
      throw damaged(
          offsets.file(),
          entry,
          OffsetIndex.ENTRY_BYTES,
          "offset is "
              + offset
              + ", the batch at position "
              + position
              + " ends with "
              + walk.batch().lastOffset());
    }
    return position;
  }

  /**
   * Checks the last entries, and that none is missing after them; takes what the rest of the log
   * adds.
   */
  private void check(DiskFile log, int logBytes) throws IOException {
    int lastOffsetEntry = offsets.entries() - 1;
    if (lastOffsetEntry >= 0) {
      lastIndexedPosition = checkedPosition(lastOffsetEntry, log, logBytes);
    }
    checkLastTime(log, logBytes);
    BatchWalk walk = BatchWalk.headers(log, lastIndexedPosition, logBytes);
    while (walk.next()) {
      if (walk.position() - lastIndexedPosition > intervalBytes && isMissing(walk.position())) {
        throw damaged(
            offsets.file(),
            offsets.entries(),
            OffsetIndex.ENTRY_BYTES,
            "no entry for the batch at position " + walk.position());
      }
      if (walk.batch().maxTimestamp() > maxTimestamp) {
        maxTimestamp = walk.batch().maxTimestamp();
        offsetOfMaxTimestamp = walk.batch().lastOffset();
      }
    }
  }

  /**
   * Whether an entry that should exist is not there. A broker that was stopped and started counts
   * the interval from its start, so up to one more interval, and one batch, may pass without an
   * entry: that is sparse, not damaged. A whole index gone is damaged.
   */
  private boolean isMissing(int position) {
    return offsets.entries() == 0
        || position - lastIndexedPosition > 2 * Math.max(intervalBytes, 1);
  }

  private void checkLastTime(DiskFile log, int logBytes) throws IOException {
    int last = times.entries() - 1;
    if (last < 0) {
      if (offsets.entries() > 0) {
        throw damaged(
            times.file(),
            0,
            TimeIndex.ENTRY_BYTES,
            "no entry, though the offset index has " + offsets.entries());
      }
      return;
    }
    long timestamp = times.timestamp(last);
    long offset = times.offset(last);
    BatchWalk walk = BatchWalk.headers(log, startFor(offset, log, logBytes), logBytes);
    while (walk.next() && walk.batch().lastOffset() < offset) {
      // Goes on to the batch that the entry names.
    }
    if (walk.batch() == null
        || walk.batch().lastOffset() != offset
        || walk.batch().maxTimestamp() != timestamp) {
      throw damaged(
          times.file(),
          last,
          TimeIndex.ENTRY_BYTES,
          "no batch ends with offset " + offset + " and has the largest timestamp " + timestamp);
    }
    maxTimestamp = timestamp;
    offsetOfMaxTimestamp = offset;
  }

  private static CorruptLogException damaged(
      IndexFile index, int entry, int entryBytes, String finding) {
    return new CorruptLogException(
        index.path(), (long) entry * entryBytes, "entry " + entry + ": " + finding);
  }
}
