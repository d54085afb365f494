package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Walks the headers of one record, in their order; duplicates are kept.
 *
 * <pre>
 *   size     field        meaning
 *   varint   keyLength    0 or more
 *   …        key          UTF-8
 *   varint   valueLength  -1 for a null value
 *   …        value
 * </pre>
 *
 * <p>It belongs to a {@link RecordCursor} and ends when that moves on.
 */
public final class HeaderCursor {
  private ByteBuffer bytes;
  private int left;
  private int keyStart;
  private int keySize;
  private int valueStart;
  private int valueSize;

  HeaderCursor() {}

  /** Starts before the first header; {@code headers} is read from its position on. */
  void open(ByteBuffer headers, int count) {
    bytes = headers;
    left = count;
  }

  /** Moves to the next header; false if there is none. */
  public boolean next() {
    if (left == 0) {
      return false;
    }
    left--;
    keySize = Varint.readInt(bytes);
    if (keySize < 0) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD, "header key length is " + keySize + ", expected 0 or more");
    }
    keyStart = skip(bytes, keySize, "header key");
    valueSize = readNullableLength(bytes, "header value");
    valueStart = skip(bytes, valueSize, "header value");
    return true;
  }

  /** The key as a view of its own. */
  public ByteBuffer key() {
    return bytes.slice(keyStart, keySize);
  }

  /** The key as text; bytes that are not UTF-8 become replacement characters. */
  public String keyText() {
    return StandardCharsets.UTF_8.decode(key()).toString();
  }

  /** The value as a view of its own, or null. */
  public ByteBuffer value() {
    return valueSize < 0 ? null : bytes.slice(valueStart, valueSize);
  }

  /** Reads a length that may be -1 for null. */
  static int readNullableLength(ByteBuffer bytes, String what) {
    int length = Varint.readInt(bytes);
    if (length < -1) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD, what + " length is " + length + ", expected -1 or more");
    }
    return length;
  }

  /** Passes over so many bytes, none if the length is that of null; answers where they start. */
  static int skip(ByteBuffer bytes, int length, String what) {
    int start = bytes.position();
    if (length > bytes.remaining()) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD,
          what
              + " length is "
              + length
              + ", but the record has "
              + bytes.remaining()
              + " bytes left");
    }
    if (length > 0) {
      bytes.position(start + length);
    }
    return start;
  }
}
