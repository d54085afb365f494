package io.tidelog.compaction;

import io.tidelog.record.Codecs;
import io.tidelog.record.ControlType;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.InvalidBatchException.Reason;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.segment.CorruptLogException;

/** Walks the records of a segment's batches, without an object per record. For one thread. */
final class RecordWalk {
  private static final int FIRST_KEY_BYTES = 256;

  private final RecordCursor cursor;
  private byte[] key = new byte[FIRST_KEY_BYTES];
  private OpenSegment segment;
  private long least;

  RecordWalk(Codecs codecs) {
    this.cursor = new RecordCursor(codecs);
  }

  /** Before the first record of the batch at hand. */
  void open(OpenSegment from) throws CorruptLogException {
    segment = from;
    least = from.batch().baseOffset();
    try {
      cursor.open(from.batch(), UnpackLimits.DEFAULT);
    } catch (InvalidBatchException e) {
      throw segment.damaged(e);
    }
  }

  /**
   * Goes to the next record; false after the last one. A record that took an offset of another
   * batch would take that one's record with it.
   */
  boolean next() throws CorruptLogException {
    try {
      boolean isThere = cursor.next();
      if (isThere) {
        requireOwnOffset();
      }
      return isThere;
    } catch (InvalidBatchException e) {
      throw segment.damaged(e);
    }
  }

  private void requireOwnOffset() {
    long last = segment.batch().lastOffset();
    if (cursor.offset() < least || cursor.offset() > last) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD,
          "offset of record %d is %d, expected %d to %d"
              .formatted(cursor.index(), cursor.offset(), least, last));
    }
    least = cursor.offset() + 1;
  }

  /** The record at hand. */
  RecordCursor record() {
    return cursor;
  }

  /** The bytes of its key, which is not null, from the start of an array; until the next one. */
  byte[] key() {
    if (cursor.keySizeBytes() > key.length) {
      key = new byte[Math.max(cursor.keySizeBytes(), 2 * key.length)];
    }
    cursor.copyKeyTo(key);
    return key;
  }

  /** What the control batch at hand says; null if its record is gone. */
  ControlType controlType(OpenSegment from) throws CorruptLogException {
    RecordBatch batch = from.batch();
    if (batch.recordCount() == 0) {
      return null;
    }
    open(from);
    try {
      return next() ? ControlType.ofKey(cursor.key()) : null;
    } catch (InvalidBatchException e) {
      throw from.damaged(e);
    }
  }
}
