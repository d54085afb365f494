package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.util.BitSet;

/**
 * Compares index entries with the log that they speak of, when a search relies on them: so that
 * whatever stands in an index file, no search answers what a scan of the log would not.
 *
 * <ul>
 *   <li>An entry of the offset index costs the header of its batch, each time.
 *   <li>An entry of the time index costs the headers of the batches between it and the entry before
 *       it, about one index interval where times rise, and that once. Later, and where this process
 *       made it, it costs those from the offset entry before it on: the file may rot meanwhile.
 * </ul>
 */
final class IndexCheck {
  /** The answer for an offset whose batch the index does not name. */
  static final int NOT_INDEXED = -1;

  private static final int NEAR_BYTES = 8192;

  private final OffsetIndex offsets;
  private final TimeIndex times;
  private final DiskFile log;
  private final OffsetWitness witness;
  private final int foundTimes;
  private final BitSet soundTimes = new BitSet();

  /** A check of indexes as they were found: their present entries may be wrong. */
  IndexCheck(OffsetIndex offsets, TimeIndex times, DiskFile log) {
    this.offsets = offsets;
    this.times = times;
    this.log = log;
    this.witness = new OffsetWitness(offsets, times);
    this.foundTimes = times.entries();
  }

  /**
   * Where the batch of an offset entry starts. The window then holds its header.
   *
   * @throws CorruptLogException if there is no such batch
   */
  int position(int entry, int logBytes, WalkWindow window) throws IOException {
    int position = offsets.position(entry);
    if (position < 0 || position > logBytes - RecordBatch.HEADER_BYTES) {
      throw damagedOffset(
          entry, "position " + position + " is outside of the log's " + logBytes + " bytes");
    }
    BatchWalk walk =
        isApart(entry, logBytes)
            ? BatchWalk.atOne(window, log, position, logBytes)
            : BatchWalk.in(window, log, position, logBytes);
    try {
      walk.next();
    } catch (CorruptLogException notABatch) {
      throw damagedOffset(entry, "no batch starts at position " + position);
    }
    if (!endsWith(offsets.offset(entry), position, walk.batch())) {
      throw damagedOffset(
          entry,
          "offset is %d, the batch at position %d ends with %d"
              .formatted(offsets.offset(entry), position, walk.batch().lastOffset()));
    }
    return position;
  }

  /**
   * Where the batch of an offset starts, if it has an entry and others do not lie near by; else
   * {@link #NOT_INDEXED}. The window then holds its header.
   *
   * @throws CorruptLogException if there is no such batch
   */
  int startOf(long offset, int logBytes, WalkWindow window) throws IOException {
    int entry = offsets.floorByOffset(offset - 1) + 1;
    if (entry >= offsets.entries() || !isApart(entry - 1, logBytes)) {
      return NOT_INDEXED;
    }
    int position = offsets.position(entry);
    if (position > logBytes - RecordBatch.HEADER_BYTES) {
      return NOT_INDEXED; // its append is under way
    }
    position(entry, logBytes, window);
    long first = RecordBatch.at(window.bytes(), window.indexOf(position)).baseOffset();
    return first <= offset ? position : NOT_INDEXED;
  }

  /** The last offset of a batch; not that of its header if both indexes name another one. */
  long lastOffset(int position, RecordBatch header) throws IOException {
    return witness.lastOffset(log, position, header);
  }

  /** Whether a batch ends with an offset: by its header or, asked only then, by both indexes. */
  private boolean endsWith(long offset, int position, RecordBatch header) throws IOException {
    return header.lastOffset() == offset || lastOffset(position, header) == offset;
  }

  /** Whether the batch of the next entry lies so far away that it is not read along. */
  private boolean isApart(int entry, int logBytes) throws IOException {
    int from = entry < 0 ? 0 : offsets.position(entry);
    int to = entry + 1 < offsets.entries() ? offsets.position(entry + 1) : logBytes;
    return to - from > NEAR_BYTES;
  }

  /** A position at or before the batch that holds this offset. */
  int startFor(long offset, int logBytes, WalkWindow window) throws IOException {
    int entry = offsets.floorByOffset(offset);
    return entry < 0 ? 0 : position(entry, logBytes, window);
  }

  /**
   * That an entry of the time index is right: its batch has its timestamp, and no batch since the
   * entry before it has one as large.
   *
   * @throws CorruptLogException if it is not
   */
  void time(int entry, int logBytes, WalkWindow window) throws IOException {
    if (entry >= foundTimes || isKnownToBeSound(entry)) {
      batchOfTime(entry, logBytes, window);
      return;
    }
    SoundWalk walk =
        entry == 0 ? walk(0, logBytes, window) : batchOfTime(entry - 1, logBytes, window);
    while (walk.next() && isBefore(entry, walk)) {
      if (walk.batch().maxTimestamp() >= times.timestamp(entry)) {
        throw damagedTime(
            entry,
            "timestamp is %d, the batch before at position %d has %d"
                .formatted(times.timestamp(entry), walk.position(), walk.batch().maxTimestamp()));
      }
    }
    requireBatchOfTime(entry, walk);
    synchronized (soundTimes) {
      soundTimes.set(entry);
    }
  }

  private boolean isKnownToBeSound(int entry) {
    synchronized (soundTimes) {
      return soundTimes.get(entry);
    }
  }

  /**
   * A walk that stands at the batch of an entry of the time index.
   *
   * @throws CorruptLogException if there is no such batch, or it has another timestamp
   */
  SoundWalk batchOfTime(int entry, int logBytes, WalkWindow window) throws IOException {
    long offset = times.offset(entry);
    SoundWalk walk = walk(startFor(offset, logBytes, window), logBytes, window);
    while (walk.next() && isBefore(entry, walk)) {
      // Goes on to the batch that the entry names.
    }
    requireBatchOfTime(entry, walk);
    return walk;
  }

  /** Whether a walk has not come to the batch of an entry of the time index. */
  private boolean isBefore(int entry, SoundWalk walk) throws IOException {
    return walk.batch().lastOffset() < times.offset(entry) && !isAt(entry, walk);
  }

  private boolean isAt(int entry, SoundWalk walk) throws IOException {
    return walk.batch().maxTimestamp() == times.timestamp(entry)
        && endsWith(times.offset(entry), walk.position(), walk.batch());
  }

  private void requireBatchOfTime(int entry, SoundWalk walk) throws IOException {
    if (walk.position() == walk.end() || !isAt(entry, walk)) {
      throw damagedTime(
          entry,
          "no batch ends with offset %d and has the largest timestamp %d"
              .formatted(times.offset(entry), times.timestamp(entry)));
    }
  }

  /** A walk by headers over the batches from a position on. */
  SoundWalk walk(int from, int logBytes, WalkWindow window) {
    long base = offsets.baseOffset();
    long first = from == 0 ? base : LogPart.AS_FOUND;
    LogPart part = new LogPart(from, logBytes, first, base + Integer.MAX_VALUE + 1);
    return SoundWalk.in(
        window, log, new SoundWalk.Reading(part, SoundWalk.Trust.ALL, damage -> {}));
  }

  CorruptLogException damagedOffset(int entry, String finding) {
    return damaged(offsets.file(), entry, OffsetIndex.ENTRY_BYTES, finding);
  }

  CorruptLogException damagedTime(int entry, String finding) {
    return damaged(times.file(), entry, TimeIndex.ENTRY_BYTES, finding);
  }

  private static CorruptLogException damaged(
      IndexFile index, int entry, int entryBytes, String finding) {
    return new CorruptLogException(
        index.path(), (long) entry * entryBytes, "entry " + entry + ": " + finding);
  }
}
