package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Walks the records of a batch, unpacking them as it goes, without an object per record.
 *
 * <pre>
 *   size     field           meaning
 *   varint   length          bytes that follow in this record
 *   1        attributes      unused, 0
 *   varlong  timestampDelta  timestamp - the batch's baseTimestamp
 *   varint   offsetDelta     offset - the batch's baseOffset
 *   varint   keyLength       -1 for a null key
 *   …        key
 *   varint   valueLength     -1 for a null value, which is a tombstone on a compacted topic
 *   …        value
 *   varint   headerCount
 *   …        headers         as {@link HeaderCursor} has them
 * </pre>
 *
 * <p>Every length is checked against the bytes left before it is used, so that what comes out is
 * well formed and a lie costs nothing. Memory stays within the largest record, and a packed record
 * is refused before it grows past {@link UnpackLimits#memoryBytes}.
 *
 * <pre>{@code
 * cursor.open(batch, limits);
 * while (cursor.next()) {
 *   use(cursor.offset(), cursor.key(), cursor.value());
 * }
 * }</pre>
 *
 * <p>Buffers that it hands out are views that end with the next call of {@link #next} or {@link
 * #open}. Used by one thread, for one batch after another.
 */
public final class RecordCursor {
  private static final int SMALLEST_BODY_BYTES = 6;

  private final RecordWindow window;
  private final HeaderCursor headers = new HeaderCursor();

  private RecordBatch batch;
  private UnpackLimits limits;
  private boolean isPacked;
  private boolean hasAppendTime;
  private int recordCount;
  private long baseOffset;
  private long baseTimestamp;
  private long appendTime;

  private ByteBuffer bytes;
  private int index;
  private int sizeBytes;
  private int bodyEnd;
  private long timestampDelta;
  private int offsetDelta;
  private int payloadStart;
  private int keyStart;
  private int keySize;
  private int valueStart;
  private int valueSize;
  private int headersStart;
  private int headerCount;

  /** A cursor that unpacks with these codecs, which it shares with nobody while it walks. */
  public RecordCursor(Codecs codecs) {
    this.window = new RecordWindow(codecs);
  }

  /**
   * Starts before the first record of a batch. Only the length and the compression of the batch
   * need to be right; the CRC is not looked at.
   *
   * @throws InvalidBatchException if the batch is cut, its compression unknown or its record count
   *     negative
   */
  public void open(RecordBatch batch, UnpackLimits limits) {
    this.batch = batch;
    this.limits = limits;
    recordCount = batch.recordCount();
    if (recordCount < 0) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD, "record count is " + recordCount + ", expected 0 or more");
    }
    baseOffset = batch.baseOffset();
    baseTimestamp = batch.baseTimestamp();
    hasAppendTime = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
    appendTime = batch.maxTimestamp();
    index = -1;
    if (recordCount > 0) {
      isPacked = batch.compression() != Compression.NONE;
      window.open(batch, limits);
    }
  }

  /**
   * Moves to the next record; false after the last one that the batch claims.
   *
   * @throws InvalidBatchException (INVALID_RECORD) if a record is malformed, or data are left after
   *     the last one; (TOO_LARGE) if the batch unpacks to more than its limit. The cursor must then
   *     be opened anew.
   */
  public boolean next() {
    if (index + 1 >= recordCount) {
      finish();
      return false;
    }
    index++;
    try {
      readSize();
      readBody();
    } catch (InvalidBatchException e) {
      throw inThisRecord(e);
    }
    return true;
  }

  /** Index of the record in its batch, from 0. */
  public int index() {
    return index;
  }

  /** Bytes of the record, unpacked, with its length field. */
  public int sizeBytes() {
    return sizeBytes;
  }

  public int offsetDelta() {
    return offsetDelta;
  }

  public long offset() {
    return baseOffset + offsetDelta;
  }

  /** Milliseconds since the epoch: the producer's or, on a batch with append time, the broker's. */
  public long timestamp() {
    return hasAppendTime ? appendTime : baseTimestamp + timestampDelta;
  }

  public boolean hasKey() {
    return keySize >= 0;
  }

  /** Bytes of the key, -1 for null. */
  public int keySizeBytes() {
    return keySize;
  }

  /** The key as a view of its own, or null. */
  public ByteBuffer key() {
    return keySize < 0 ? null : bytes.slice(keyStart, keySize);
  }

  public boolean hasValue() {
    return valueSize >= 0;
  }

  /** Copies the key, which is not null, to the start of an array that is large enough. */
  public void copyKeyTo(byte[] target) {
    bytes.get(keyStart, target, 0, keySize);
  }

  /** Bytes of the value, -1 for null. */
  public int valueSizeBytes() {
    return valueSize;
  }

  /** The value as a view of its own, or null. */
  public ByteBuffer value() {
    return valueSize < 0 ? null : bytes.slice(valueStart, valueSize);
  }

  public int headerCount() {
    return headerCount;
  }

  /** The headers, from the first; always the same object. */
  public HeaderCursor headers() {
    headers.open(bytes.slice(headersStart, bodyEnd - headersStart), headerCount);
    return headers;
  }

  /** Key, value and headers as they lie in the record, from the key's length on. */
  ByteBuffer payload() {
    return bytes.slice(payloadStart, bodyEnd - payloadStart);
  }

  private void readSize() {
    window.fill(Varint.MAX_INT_BYTES);
    ByteBuffer head = window.bytes();
    int start = head.position();
    int bodyBytes = Varint.readInt(head);
    if (bodyBytes < SMALLEST_BODY_BYTES) {
      throw malformed("length is " + bodyBytes + ", expected " + SMALLEST_BODY_BYTES + " or more");
    }
    if (isPacked && bodyBytes > limits.memoryBytes()) {
      throw malformed(
          "length is " + bodyBytes + ", more than the " + limits.memoryBytes() + " allowed");
    }
    sizeBytes = head.position() - start + bodyBytes;
    if (!window.fill(bodyBytes)) {
      throw malformed(
          "length is " + bodyBytes + ", but " + window.bytes().remaining() + " bytes are left");
    }
    bytes = window.bytes();
    bodyEnd = bytes.position() + bodyBytes;
  }

  private void readBody() {
    int windowEnd = bytes.limit();
    bytes.limit(bodyEnd);
    bytes.get();
    timestampDelta = Varint.readLong(bytes);
    offsetDelta = Varint.readInt(bytes);
    payloadStart = bytes.position();
    keySize = HeaderCursor.readNullableLength(bytes, "key");
    keyStart = HeaderCursor.skip(bytes, keySize, "key");
    valueSize = HeaderCursor.readNullableLength(bytes, "value");
    valueStart = HeaderCursor.skip(bytes, valueSize, "value");
    readHeaders();
    if (bytes.hasRemaining()) {
      throw malformed("length is " + bytes.remaining() + " more than its fields take");
    }
    bytes.limit(windowEnd);
  }

  private void readHeaders() {
    headerCount = Varint.readInt(bytes);
    headersStart = bytes.position();
    if (headerCount < 0 || headerCount > bytes.remaining()) {
      throw malformed(
          "header count is "
              + headerCount
              + ", with "
              + bytes.remaining()
              + " bytes left for headers");
    }
    headers.open(bytes, headerCount);
    while (headers.next()) {
      // The step itself checks the lengths.
    }
  }

  private void finish() {
    if (recordCount > 0 && !window.isAtEnd()) {
      throw malformed("data are left after the last of " + recordCount + " records");
    }
  }

  private static InvalidBatchException malformed(String message) {
    return new InvalidBatchException(Reason.INVALID_RECORD, message);
  }

  private InvalidBatchException inThisRecord(InvalidBatchException e) {
    return new InvalidBatchException(
        e.reason(),
        "record " + index + " of the batch at byte " + batch.position() + ": " + e.getMessage(),
        List.of(new RecordError(index, e.getMessage())));
  }
}
