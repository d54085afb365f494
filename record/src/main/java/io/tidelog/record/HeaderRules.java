package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;

/**
 * What the header of a batch that is to be appended must say, as far as one can tell without its
 * records.
 */
final class HeaderRules {

  private HeaderRules() {}

  /**
   * The base offset lies outside of the CRC and is told apart from damage before that is looked at.
   */
  static void checkBaseOffset(RecordBatch batch, Origin origin) {
    if (origin == Origin.CLIENT && batch.baseOffset() != 0) {
      throw invalid("base offset is " + batch.baseOffset() + ", expected 0 from a client");
    }
  }

  static void check(RecordBatch batch, Origin origin) {
    checkCounts(batch);
    if (batch.timestampType() == TimestampType.LOG_APPEND_TIME) {
      throw new InvalidBatchException(
          Reason.INVALID_TIMESTAMP, "timestamp type is append time, which only the broker may set");
    }
    if (batch.isTransactional() && !batch.hasProducerId()) {
      throw invalid("the batch is transactional but has no producer id");
    }
    if (origin == Origin.CLIENT) {
      checkClient(batch);
    }
  }

  private static void checkCounts(RecordBatch batch) {
    int count = batch.recordCount();
    if (count < 1) {
      throw invalid("record count is " + count + ", expected 1 or more");
    }
    if (batch.lastOffsetDelta() != count - 1) {
      throw invalid(
          "last offset delta is "
              + batch.lastOffsetDelta()
              + ", expected "
              + (count - 1)
              + " for "
              + count
              + " records");
    }
  }

  private static void checkClient(RecordBatch batch) {
    if (batch.isControl()) {
      throw invalid("clients may not write control batches");
    }
    if (batch.hasProducerId() && batch.baseSequence() < 0) {
      throw invalid(
          "base sequence is "
              + batch.baseSequence()
              + ", expected 0 or more with producer id "
              + batch.producerId());
    }
  }

  private static InvalidBatchException invalid(String message) {
    return new InvalidBatchException(Reason.INVALID_RECORD, message);
  }
}
