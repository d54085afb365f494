package io.tidelog.log;

import io.tidelog.record.Codecs;
import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.InvalidBatchException.Reason;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.TimestampType;
import io.tidelog.record.Varint;
import java.nio.ByteBuffer;

/**
 * Reads the times of the records of a batch. A topic that trusts headers may hold batches whose
 * records cannot be read: then the header speaks for them. For one thread.
 */
final class BatchTimes {
  /** A header, and the most that length, attributes, time and offset of a record take. */
  private static final int HEAD_BYTES = RecordBatch.HEADER_BYTES + 5 + 1 + 10 + 5;

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

  /**
   * The same, as far as the first bytes of a batch tell, whose header is right; null if more of it
   * must be read.
   *
   * @param head the header at the start of a buffer, perhaps with some bytes that follow it
   */
  static OffsetAtTime firstByHead(RecordBatch head, long timestampMs, long from) {
    if (head.baseOffset() < from || head.recordCount() != head.lastOffsetDelta() + 1) {
      return null;
    }
    if (head.timestampType() == TimestampType.LOG_APPEND_TIME) {
      return ofHeader(head, from); // all records have that time
    }
    ByteBuffer record = head.buffer().duplicate();
    if (head.compression() != Compression.NONE || record.limit() < HEAD_BYTES) {
      return null;
    }
    record.position(RecordBatch.HEADER_BYTES);
    try {
      Varint.readInt(record);
      record.get(); // attributes
      long timestamp = head.baseTimestamp() + Varint.readLong(record);
      return Varint.readInt(record) == 0
              && timestamp >= timestampMs
              && timestamp <= head.maxTimestamp()
          ? new OffsetAtTime(head.baseOffset(), timestamp, head.leaderEpoch())
          : null;
    } catch (InvalidBatchException malformed) {
      return null;
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
