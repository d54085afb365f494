package io.tidelog.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A view of one record batch, format version 2: a fixed header, then the records, packed by the
 * batch's compression.
 *
 * <pre>
 *  at  size  field                 meaning
 *   0     8  baseOffset            offset of the first record that was ever in the batch
 *   8     4  batchLength           bytes that follow this field, so the whole batch is 12 more
 *  12     4  partitionLeaderEpoch  epoch of the leader that wrote the batch, -1 if unknown
 *  16     1  magic                 format version, 2
 *  17     4  crc                   CRC-32C of everything from attributes to the end
 *  21     2  attributes            bits, below
 *  23     4  lastOffsetDelta       last offset - baseOffset, kept when compaction drops records
 *  27     8  baseTimestamp         what the records' timestamp deltas count from, ms; the delete horizon if bit 6 is set
 *  35     8  maxTimestamp          largest timestamp, ms; the append time if bit 3 is set
 *  43     8  producerId            -1 if the producer is not idempotent
 *  51     2  producerEpoch         -1 if the producer is not idempotent
 *  53     4  baseSequence          sequence number of the first record, -1 if none
 *  57     4  recordCount           records in the batch
 *  61     …  records
 * </pre>
 *
 * <pre>
 *  attribute bit  meaning
 *  0-2            compression code
 *  3              timestamp type: 0 create time, 1 log append time
 *  4              part of a transaction
 *  5              control batch: its record is for the broker and clients, not data
 *  6              baseTimestamp is the delete horizon
 *  7-15           unused, 0
 * </pre>
 *
 * <p>Everything is big-endian. The base offset and the leader epoch lie outside of the CRC so that
 * a broker can set them without reading the records again ({@link #stampBaseOffset}, {@link
 * #stampLeaderEpoch}). The length lies outside too: a CRC over a wrong length fails anyway. Magic
 * lies outside because it says how to find the rest.
 *
 * <p>The view holds a buffer and a position, reads by absolute index and never moves the buffer's
 * position. Accessors return what the bytes say and check nothing; {@link BatchValidator} does.
 * Methods that need the records (the CRC) require {@link #isComplete}. A view may be shared by
 * threads as far as the bytes may.
 */
public final class RecordBatch {
  public static final int BASE_OFFSET_AT = 0;
  public static final int BASE_OFFSET_SIZE = 8;
  public static final int BATCH_LENGTH_AT = 8;
  public static final int BATCH_LENGTH_SIZE = 4;
  public static final int PARTITION_LEADER_EPOCH_AT = 12;
  public static final int PARTITION_LEADER_EPOCH_SIZE = 4;
  public static final int MAGIC_AT = 16;
  public static final int MAGIC_SIZE = 1;
  public static final int CRC_AT = 17;
  public static final int CRC_SIZE = 4;
  public static final int ATTRIBUTES_AT = 21;
  public static final int ATTRIBUTES_SIZE = 2;
  public static final int LAST_OFFSET_DELTA_AT = 23;
  public static final int LAST_OFFSET_DELTA_SIZE = 4;
  public static final int BASE_TIMESTAMP_AT = 27;
  public static final int BASE_TIMESTAMP_SIZE = 8;
  public static final int MAX_TIMESTAMP_AT = 35;
  public static final int MAX_TIMESTAMP_SIZE = 8;
  public static final int PRODUCER_ID_AT = 43;
  public static final int PRODUCER_ID_SIZE = 8;
  public static final int PRODUCER_EPOCH_AT = 51;
  public static final int PRODUCER_EPOCH_SIZE = 2;
  public static final int BASE_SEQUENCE_AT = 53;
  public static final int BASE_SEQUENCE_SIZE = 4;
  public static final int RECORD_COUNT_AT = 57;
  public static final int RECORD_COUNT_SIZE = 4;

  /** The header's fields. */
  public static final Layout HEADER =
      Layout.empty()
          .then("baseOffset", BASE_OFFSET_SIZE)
          .then("batchLength", BATCH_LENGTH_SIZE)
          .then("partitionLeaderEpoch", PARTITION_LEADER_EPOCH_SIZE)
          .then("magic", MAGIC_SIZE)
          .then("crc", CRC_SIZE)
          .then("attributes", ATTRIBUTES_SIZE)
          .then("lastOffsetDelta", LAST_OFFSET_DELTA_SIZE)
          .then("baseTimestamp", BASE_TIMESTAMP_SIZE)
          .then("maxTimestamp", MAX_TIMESTAMP_SIZE)
          .then("producerId", PRODUCER_ID_SIZE)
          .then("producerEpoch", PRODUCER_EPOCH_SIZE)
          .then("baseSequence", BASE_SEQUENCE_SIZE)
          .then("recordCount", RECORD_COUNT_SIZE);

  /** Bytes before the records. */
  public static final int HEADER_BYTES = 61;

  /** Bytes of base offset and length, which the length does not count. */
  public static final int LOG_OVERHEAD_BYTES = 12;

  /** The format version that this class reads. */
  public static final byte MAGIC = 2;

  /** Stands for: no producer id. */
  public static final long NO_PRODUCER_ID = -1L;

  /** Stands for: no producer epoch. */
  public static final short NO_PRODUCER_EPOCH = -1;

  /** Stands for: no sequence number. */
  public static final int NO_SEQUENCE = -1;

  /** Stands for: no timestamp. */
  public static final long NO_TIMESTAMP = -1L;

  /** Stands for: leader epoch unknown. */
  public static final int NO_LEADER_EPOCH = -1;

  static final int COMPRESSION_MASK = 0x07;
  static final int TIMESTAMP_TYPE_BIT = 1 << 3;
  static final int TRANSACTIONAL_BIT = 1 << 4;
  static final int CONTROL_BIT = 1 << 5;
  static final int DELETE_HORIZON_BIT = 1 << 6;
  private static final int KNOWN_BITS = (DELETE_HORIZON_BIT << 1) - 1;

  private final ByteBuffer buffer;
  private final int position;

  private RecordBatch(ByteBuffer buffer, int position) {
    this.buffer = buffer;
    this.position = position;
  }

  /**
   * A view of the batch that starts at {@code position}. The buffer needs to hold the header only;
   * see {@link #isComplete}.
   *
   * @throws IndexOutOfBoundsException if fewer than {@link #HEADER_BYTES} lie between {@code
   *     position} and the limit
   */
  public static RecordBatch at(ByteBuffer buffer, int position) {
    Objects.checkFromIndexSize(position, HEADER_BYTES, buffer.limit());
    if (buffer.order() != ByteOrder.BIG_ENDIAN) {
      throw new IllegalArgumentException("the buffer is little-endian, a batch is big-endian");
    }
    return new RecordBatch(buffer, position);
  }

  /** The buffer that the view was made on. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Where the batch starts in its buffer. */
  public int position() {
    return position;
  }

  /** Bytes of the whole batch, header included, as the length field has it. */
  public int sizeBytes() {
    return LOG_OVERHEAD_BYTES + batchLength();
  }

  /** Whether the length field is possible and the buffer holds that many bytes. */
  public boolean isComplete() {
    int length = batchLength();
    return length >= HEADER_BYTES - LOG_OVERHEAD_BYTES
        && length <= buffer.limit() - position - LOG_OVERHEAD_BYTES;
  }

  /** The length field: bytes that follow it. */
  public int batchLength() {
    return buffer.getInt(position + BATCH_LENGTH_AT);
  }

  public long baseOffset() {
    return buffer.getLong(position + BASE_OFFSET_AT);
  }

  /** Offset of the last record that was ever in the batch. */
  public long lastOffset() {
    return baseOffset() + lastOffsetDelta();
  }

  /** The offset after the batch. */
  public long nextOffset() {
    return lastOffset() + 1;
  }

  /** The partition leader epoch, {@link #NO_LEADER_EPOCH} if unknown. */
  public int leaderEpoch() {
    return buffer.getInt(position + PARTITION_LEADER_EPOCH_AT);
  }

  public byte magic() {
    return buffer.get(position + MAGIC_AT);
  }

  /** The CRC that the header claims, 0 to 2^32-1; compare with {@link #computeCrc}. */
  public long crc() {
    return Integer.toUnsignedLong(buffer.getInt(position + CRC_AT));
  }

  public short attributes() {
    return buffer.getShort(position + ATTRIBUTES_AT);
  }

  /** The compression code, 0 to 7, known or not. */
  public int compressionCode() {
    return attributes() & COMPRESSION_MASK;
  }

  /**
   * The compression of the records.
   *
   * @throws InvalidBatchException (UNSUPPORTED_COMPRESSION) if the code is unknown
   */
  public Compression compression() {
    return Compression.of(compressionCode());
  }

  public TimestampType timestampType() {
    return has(TIMESTAMP_TYPE_BIT) ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME;
  }

  public boolean isTransactional() {
    return has(TRANSACTIONAL_BIT);
  }

  public boolean isControl() {
    return has(CONTROL_BIT);
  }

  /**
   * Whether {@link #baseTimestamp} is the time after which compaction may drop the batch's
   * tombstones.
   */
  public boolean hasDeleteHorizon() {
    return has(DELETE_HORIZON_BIT);
  }

  public int lastOffsetDelta() {
    return buffer.getInt(position + LAST_OFFSET_DELTA_AT);
  }

  /** What the timestamp deltas of the records count from, in milliseconds. */
  public long baseTimestamp() {
    return buffer.getLong(position + BASE_TIMESTAMP_AT);
  }

  /**
   * Largest timestamp of the records, in milliseconds; the append time for {@link
   * TimestampType#LOG_APPEND_TIME}.
   */
  public long maxTimestamp() {
    return buffer.getLong(position + MAX_TIMESTAMP_AT);
  }

  public long producerId() {
    return buffer.getLong(position + PRODUCER_ID_AT);
  }

  public boolean hasProducerId() {
    return producerId() > NO_PRODUCER_ID;
  }

  public short producerEpoch() {
    return buffer.getShort(position + PRODUCER_EPOCH_AT);
  }

  public int baseSequence() {
    return buffer.getInt(position + BASE_SEQUENCE_AT);
  }

  /** Sequence number of the last record; sequence numbers go on at 0 after 2^31-1. */
  public int lastSequence() {
    int base = baseSequence();
    return base == NO_SEQUENCE ? NO_SEQUENCE : addToSequence(base, lastOffsetDelta());
  }

  /** The sequence number that is {@code delta} records after another one. */
  public static int addToSequence(int sequence, int delta) {
    return (sequence + delta) & Integer.MAX_VALUE;
  }

  /** Records that the header claims. */
  public int recordCount() {
    return buffer.getInt(position + RECORD_COUNT_AT);
  }

  /**
   * The CRC-32C of the bytes from the attributes to the end, 0 to 2^32-1.
   *
   * @throws InvalidBatchException (CORRUPT) if the batch is not {@link #isComplete}
   */
  public long computeCrc() {
    CRC32C crc = new CRC32C();
    crc.update(slice(ATTRIBUTES_AT));
    return crc.getValue();
  }

  /**
   * The packed records as a new view of the buffer.
   *
   * @throws InvalidBatchException (CORRUPT) if the batch is not {@link #isComplete}
   */
  public ByteBuffer packedRecords() {
    return slice(HEADER_BYTES);
  }

  /** Sets the base offset, in place. */
  public void stampBaseOffset(long baseOffset) {
    buffer.putLong(position + BASE_OFFSET_AT, baseOffset);
  }

  /** Sets the partition leader epoch, in place. */
  public void stampLeaderEpoch(int leaderEpoch) {
    buffer.putInt(position + PARTITION_LEADER_EPOCH_AT, leaderEpoch);
  }

  /**
   * Sets timestamp type and largest timestamp, in place. If that changes anything, the CRC is set
   * too, and the attributes that have no meaning are cleared.
   */
  public void stampTimestamps(TimestampType type, long maxTimestamp) {
    if (type == timestampType() && maxTimestamp == maxTimestamp()) {
      return;
    }
    int bit = type == TimestampType.LOG_APPEND_TIME ? TIMESTAMP_TYPE_BIT : 0;
    int others = attributes() & KNOWN_BITS & ~TIMESTAMP_TYPE_BIT;
    buffer.putShort(position + ATTRIBUTES_AT, (short) (others | bit));
    buffer.putLong(position + MAX_TIMESTAMP_AT, maxTimestamp);
    buffer.putInt(position + CRC_AT, (int) computeCrc());
  }

  @Override
  public String toString() {
    return "RecordBatch(baseOffset="
        + baseOffset()
        + ", lastOffsetDelta="
        + lastOffsetDelta()
        + ", sizeBytes="
        + sizeBytes()
        + ", recordCount="
        + recordCount()
        + ", position="
        + position
        + ")";
  }

  private boolean has(int bit) {
    return (attributes() & bit) != 0;
  }

  private ByteBuffer slice(int from) {
    if (!isComplete()) {
      throw new InvalidBatchException(
          InvalidBatchException.Reason.CORRUPT,
          String.format(
              "batch length at byte %d is %d, expected %d to %d",
              position + BATCH_LENGTH_AT,
              batchLength(),
              HEADER_BYTES - LOG_OVERHEAD_BYTES,
              buffer.limit() - position - LOG_OVERHEAD_BYTES));
    }
    return buffer.slice(position + from, sizeBytes() - from);
  }
}
