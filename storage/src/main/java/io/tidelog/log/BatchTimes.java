package io.tidelog.log;

import io.tidelog.record.Codecs;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.InvalidBatchException.Reason;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;

/**
 * Reads the times of the records of a batch. A topic that trusts headers may hold batches whose
 * records cannot be read: then the header speaks for them. For one thread.
 */
final class BatchTimes {
  private final RecordCursor records;

  BatchTimes(Codecs codecs) {
    this.records = new RecordCursor(codecs);
  }

  /**
   * The first record at or after an offset whose timestamp is at or after a time; none if no record
   * is so late. Of records that cannot be read it is the first one that the header allows.
   */
  OffsetAtTime first(RecordBatch batch, long timestampMs, long from) {
    try {
      records.open(batch, LogSettings.MOST_UNPACKED);
      while (next(batch)) {
        if (records.timestamp() >= timestampMs && records.offset() >= from) {
          return new OffsetAtTime(records.offset(), records.timestamp(), batch.leaderEpoch());
        }
      }
      return OffsetAtTime.NONE;
    } catch (InvalidBatchException malformed) {
      return ofHeader(batch, from);
    }
  }

  /** The same as far as the header tells: its largest timestamp, at the first offset. */
  static OffsetAtTime ofHeader(RecordBatch batch, long from) {
    return new OffsetAtTime(
        Math.max(from, batch.baseOffset()), batch.maxTimestamp(), batch.leaderEpoch());
  }

  /** The largest timestamp of the records at or after an offset, ms, or -1. */
  long largest(RecordBatch batch, long from) {
    long largest = RecordBatch.NO_TIMESTAMP;
    try {
      records.open(batch, LogSettings.MOST_UNPACKED);
      while (next(batch)) {
        largest = records.offset() >= from ? Math.max(largest, records.timestamp()) : largest;
      }
      return largest;
    } catch (InvalidBatchException malformed) {
      return batch.maxTimestamp();
    }
  }

  private boolean next(RecordBatch batch) {
    boolean isThere = records.next();
    if (isThere
        && (records.offset() < batch.baseOffset() || records.offset() > batch.lastOffset())) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD, "offset " + records.offset() + " is not one of the batch");
    }
    return isThere;
  }
}
