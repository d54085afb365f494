package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Builds one batch after another in buffers of its own, which grow as needed.
 *
 * <pre>{@code
 * RecordBatch batch =
 *     writer.begin().packing(Packing.of(Compression.ZSTD)).producer(id, epoch, sequence)
 *         .append(timestampMs, key, value)
 *         .append(timestampMs, key, null)
 *         .finish();
 * }</pre>
 *
 * <p>A batch begins with offset 0, no compression, producer's timestamps, no producer id and no
 * leader epoch; what is to be different is set between {@link #begin} and the first record. The
 * batch that {@link #finish} returns lies in the writer's buffer and ends with the next {@link
 * #begin}. Used by one thread.
 */
public final class RecordBatchWriter {
  private final Codecs codecs;
  private final RecordEncoder records = new RecordEncoder();
  private ByteBuffer packed;

  private Packing packing;
  private int attributes;
  private long baseOffset;
  private long lastOffset;
  private int leaderEpoch;
  private long baseTimestamp;
  private long maxTimestamp;
  private long appendTime;
  private long producerId;
  private short producerEpoch;
  private int baseSequence;
  private int recordCount;
  private boolean isFinished;

  /**
   * A writer that packs with these codecs, which it shares with nobody while it finishes a batch.
   */
  public RecordBatchWriter(Codecs codecs) {
    this.codecs = codecs;
    begin();
  }

  /** Starts a batch anew. */
  public RecordBatchWriter begin() {
    records.clear();
    packing = Packing.NONE;
    attributes = 0;
    baseOffset = 0;
    lastOffset = -1;
    leaderEpoch = RecordBatch.NO_LEADER_EPOCH;
    baseTimestamp = RecordBatch.NO_TIMESTAMP;
    maxTimestamp = RecordBatch.NO_TIMESTAMP;
    producerId = RecordBatch.NO_PRODUCER_ID;
    producerEpoch = RecordBatch.NO_PRODUCER_EPOCH;
    baseSequence = RecordBatch.NO_SEQUENCE;
    recordCount = 0;
    isFinished = false;
    return this;
  }

  /** The offset of the first record, unless that gets a later one by {@link #appendAt}. */
  public RecordBatchWriter baseOffset(long offset) {
    baseOffset = offset;
    lastOffset = offset - 1;
    return this;
  }

  public RecordBatchWriter leaderEpoch(int epoch) {
    leaderEpoch = epoch;
    return this;
  }

  public RecordBatchWriter packing(Packing packing) {
    this.packing = packing;
    return this;
  }

  public RecordBatchWriter producer(long id, short epoch, int firstSequence) {
    producerId = id;
    producerEpoch = epoch;
    baseSequence = firstSequence;
    return this;
  }

  /** The batch is part of its producer's transaction. */
  public RecordBatchWriter transactional() {
    attributes |= RecordBatch.TRANSACTIONAL_BIT;
    return this;
  }

  /** The batch holds control records. */
  public RecordBatchWriter control() {
    attributes |= RecordBatch.CONTROL_BIT;
    return this;
  }

  /** All records have this time, whatever their own; theirs are kept in the bytes. */
  public RecordBatchWriter logAppendTime(long timestampMs) {
    attributes |= RecordBatch.TIMESTAMP_TYPE_BIT;
    appendTime = timestampMs;
    return this;
  }

  /** When compaction may drop the batch's tombstones; takes the place of the base timestamp. */
  public RecordBatchWriter deleteHorizon(long timestampMs) {
    attributes |= RecordBatch.DELETE_HORIZON_BIT;
    baseTimestamp = timestampMs;
    return this;
  }

  /** Adds a record without headers; key and value may be null. Positions of the buffers stay. */
  public RecordBatchWriter append(long timestampMs, ByteBuffer key, ByteBuffer value) {
    return append(timestampMs, key, value, List.of());
  }

  /** Adds a record. */
  public RecordBatchWriter append(
      long timestampMs, ByteBuffer key, ByteBuffer value, List<RecordHeader> headers) {
    return appendAt(lastOffset + 1, timestampMs, key, value, headers);
  }

  /**
   * Adds a record at an offset after the last one, which may leave a gap.
   *
   * @throws IllegalArgumentException if the offset is not after the last one, or 2^31 or more past
   *     the base offset
   */
  public RecordBatchWriter appendAt(
      long offset, long timestampMs, ByteBuffer key, ByteBuffer value, List<RecordHeader> headers) {
    int offsetDelta = startRecord(offset, timestampMs);
    records.append(offsetDelta, timestampMs - baseTimestamp, key, value, headers);
    return added(offset, timestampMs);
  }

  /**
   * Adds the record that a cursor is at, at another offset: its timestamp, key, value and headers.
   */
  public RecordBatchWriter appendCopyAt(long offset, RecordCursor record) {
    long timestampMs = record.timestamp();
    int offsetDelta = startRecord(offset, timestampMs);
    records.append(offsetDelta, timestampMs - baseTimestamp, record.payload());
    return added(offset, timestampMs);
  }

  /** Adds a control record; the batch must be a {@link #control} batch. */
  public RecordBatchWriter appendControl(long timestampMs, ControlType type, ByteBuffer value) {
    if ((attributes & RecordBatch.CONTROL_BIT) == 0) {
      throw new IllegalStateException("a control record needs a control batch");
    }
    return append(timestampMs, type.key(), value);
  }

  /** Records so far. */
  public int recordCount() {
    return recordCount;
  }

  /** Bytes so far, unpacked, with the batch header. */
  public int unpackedBytes() {
    return records.buffer().position();
  }

  /**
   * Ends the batch, whose last offset is that of the last record.
   *
   * @throws IllegalStateException if it has no records
   */
  public RecordBatch finish() {
    return finishAt(lastOffset);
  }

  /** Ends the batch with a last offset that may be past that of the last record. */
  public RecordBatch finishAt(long lastOffset) {
    if (recordCount == 0 || isFinished) {
      throw new IllegalStateException("the batch has no records, or is finished");
    }
    int lastOffsetDelta = delta(lastOffset);
    if (lastOffset < this.lastOffset) {
      throw new IllegalArgumentException(
          "last offset " + lastOffset + " is before that of the last record, " + this.lastOffset);
    }
    isFinished = true;
    ByteBuffer bytes = packing.compression() == Compression.NONE ? records.buffer() : pack();
    bytes.flip();
    writeHeader(bytes, lastOffsetDelta);
    RecordBatch batch = RecordBatch.at(bytes, 0);
    bytes.putInt(RecordBatch.CRC_AT, (int) batch.computeCrc());
    return batch;
  }

  private int startRecord(long offset, long timestampMs) {
    if (isFinished) {
      throw new IllegalStateException("the batch is finished; begin another one");
    }
    if (offset <= lastOffset) {
      throw new IllegalArgumentException(
          "offset " + offset + " is not after the last one, " + lastOffset);
    }
    if (recordCount == 0 && (attributes & RecordBatch.DELETE_HORIZON_BIT) == 0) {
      baseTimestamp = timestampMs;
    }
    return delta(offset);
  }

  private int delta(long offset) {
    long delta = offset - baseOffset;
    if (delta < 0 || delta > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "offset " + offset + " is out of reach of the base offset " + baseOffset);
    }
    return (int) delta;
  }

  private RecordBatchWriter added(long offset, long timestampMs) {
    lastOffset = offset;
    maxTimestamp = Math.max(maxTimestamp, timestampMs);
    recordCount++;
    return this;
  }

  private ByteBuffer pack() {
    ByteBuffer plain = records.buffer();
    plain.flip().position(RecordBatch.HEADER_BYTES);
    Packer packer = codecs.packer(packing);
    long bound = RecordBatch.HEADER_BYTES + packer.maxPackedBytes(plain.remaining());
    if (bound > Integer.MAX_VALUE) {
      throw new InvalidBatchException(
          Reason.TOO_LARGE, "the batch may pack to " + bound + " bytes, more than 2^31-1");
    }
    packed = RecordEncoder.cleared(packed, (int) bound);
    packed.position(RecordBatch.HEADER_BYTES);
    packer.pack(plain, packed);
    return packed;
  }

  private void writeHeader(ByteBuffer bytes, int lastOffsetDelta) {
    boolean hasAppendTime = (attributes & RecordBatch.TIMESTAMP_TYPE_BIT) != 0;
    bytes
        .putLong(RecordBatch.BASE_OFFSET_AT, baseOffset)
        .putInt(RecordBatch.BATCH_LENGTH_AT, bytes.limit() - RecordBatch.LOG_OVERHEAD_BYTES)
        .putInt(RecordBatch.PARTITION_LEADER_EPOCH_AT, leaderEpoch)
        .put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC)
        .putShort(RecordBatch.ATTRIBUTES_AT, (short) (attributes | packing.compression().code()))
        .putInt(RecordBatch.LAST_OFFSET_DELTA_AT, lastOffsetDelta)
        .putLong(RecordBatch.BASE_TIMESTAMP_AT, baseTimestamp)
        .putLong(RecordBatch.MAX_TIMESTAMP_AT, hasAppendTime ? appendTime : maxTimestamp)
        .putLong(RecordBatch.PRODUCER_ID_AT, producerId)
        .putShort(RecordBatch.PRODUCER_EPOCH_AT, producerEpoch)
        .putInt(RecordBatch.BASE_SEQUENCE_AT, baseSequence)
        .putInt(RecordBatch.RECORD_COUNT_AT, recordCount);
  }
}
