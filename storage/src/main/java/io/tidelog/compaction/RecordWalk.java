package io.tidelog.compaction;

import io.tidelog.record.Codecs;
import io.tidelog.record.ControlType;
import io.tidelog.record.InvalidBatchException;
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

  RecordWalk(Codecs codecs) {
    this.cursor = new RecordCursor(codecs);
  }

  /** Before the first record of the batch at hand. */
  void open(OpenSegment from) throws CorruptLogException {
    segment = from;
    try {
      cursor.open(from.batch(), UnpackLimits.DEFAULT);
    } catch (InvalidBatchException e) {
      throw segment.damaged(e);
    }
  }

  /** Goes to the next record; false after the last one. */
  boolean next() throws CorruptLogException {
    try {
      return cursor.next();
    } catch (InvalidBatchException e) {
      throw segment.damaged(e);
    }
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
