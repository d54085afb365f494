package io.tidelog.record;

import java.nio.ByteBuffer;

/**
 * What compaction leaves of a batch: the records that are kept, with their offsets, under a header
 * that still says where the batch began and ended, who wrote it and with which sequence numbers.
 * Used by one thread; what it returns ends with the next call.
 */
public final class BatchRemains {
  private static final short NOT_IN_AN_EMPTY_BATCH =
      RecordBatch.COMPRESSION_MASK | RecordBatch.DELETE_HORIZON_BIT;

  private final RecordBatchWriter writer;
  private final ByteBuffer header = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);
  private RecordBatch original;

  /** Packs with these codecs, which it shares with nobody between {@link #begin} and the end. */
  public BatchRemains(Codecs codecs) {
    this.writer = new RecordBatchWriter(codecs);
  }

  /** Begins with a batch whose records are then given one by one. */
  public void begin(RecordBatch batch) {
    original = batch;
    writer
        .begin()
        .baseOffset(batch.baseOffset())
        .leaderEpoch(batch.leaderEpoch())
        .packing(Packing.of(batch.compression()))
        .producer(batch.producerId(), batch.producerEpoch(), batch.baseSequence());
    if (batch.isTransactional()) {
      writer.transactional();
    }
    if (batch.isControl()) {
      writer.control();
    }
    if (batch.timestampType() == TimestampType.LOG_APPEND_TIME) {
      writer.logAppendTime(batch.maxTimestamp());
    }
    if (batch.hasDeleteHorizon()) {
      writer.deleteHorizon(batch.baseTimestamp());
    }
  }

  /** As {@link #begin}, for a batch that gets a delete horizon now. */
  public void beginWithDeleteHorizon(RecordBatch batch, long horizonMs) {
    begin(batch);
    writer.deleteHorizon(horizonMs);
  }

  /** Keeps the record that a cursor is at. */
  public void keep(RecordCursor record) {
    writer.appendCopyAt(record.offset(), record);
  }

  /** Ends the batch, which has at least one record. */
  public RecordBatch finish() {
    return writer.finishAt(original.lastOffset());
  }

  /** A batch without records, where only its header is still needed. */
  public RecordBatch headerOf(RecordBatch batch) {
    header.put(0, batch.buffer(), batch.position(), RecordBatch.HEADER_BYTES);
    header
        .putInt(
            RecordBatch.BATCH_LENGTH_AT, RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES)
        .putShort(RecordBatch.ATTRIBUTES_AT, (short) (batch.attributes() & ~NOT_IN_AN_EMPTY_BATCH))
        .putLong(RecordBatch.BASE_TIMESTAMP_AT, RecordBatch.NO_TIMESTAMP)
        .putInt(RecordBatch.RECORD_COUNT_AT, 0);
    RecordBatch empty = RecordBatch.at(header, 0);
    header.putInt(RecordBatch.CRC_AT, (int) empty.computeCrc());
    return empty;
  }
}
