package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes records, as {@link RecordCursor} describes them, to a direct buffer that grows, behind
 * room for a header.
 */
final class RecordEncoder {
  private static final int INITIAL_BYTES = 4 << 10;
  private static final int RETAINED_BYTES = 4 << 20;
  private static final int ATTRIBUTES_BYTES = 1;
  private static final int NULL_LENGTH = -1;

  private ByteBuffer buffer;

  /** Forgets what was written. */
  void clear() {
    buffer = cleared(buffer, INITIAL_BYTES);
    buffer.position(RecordBatch.HEADER_BYTES);
  }

  /**
   * An empty direct buffer of at least so many bytes: the given one unless it is too small, or
   * large without need.
   */
  static ByteBuffer cleared(ByteBuffer reusable, int wantedBytes) {
    boolean fits =
        reusable != null
            && reusable.capacity() >= wantedBytes
            && (reusable.capacity() <= RETAINED_BYTES || wantedBytes > RETAINED_BYTES);
    return fits ? reusable.clear() : ByteBuffer.allocateDirect(wantedBytes);
  }

  /** What was written, after {@link RecordBatch#HEADER_BYTES} of room, up to the position. */
  ByteBuffer buffer() {
    return buffer;
  }

  void append(
      int offsetDelta,
      long timestampDelta,
      ByteBuffer key,
      ByteBuffer value,
      List<RecordHeader> headers) {
    long payloadBytes = sizeOf(key) + sizeOf(value) + Varint.sizeOfInt(headers.size());
    for (RecordHeader header : headers) {
      payloadBytes += sizeOf(header.key()) + sizeOf(header.value());
    }
    start(offsetDelta, timestampDelta, payloadBytes);
    put(key);
    put(value);
    Varint.writeInt(buffer, headers.size());
    for (RecordHeader header : headers) {
      put(header.key());
      put(header.value());
    }
  }

  void append(int offsetDelta, long timestampDelta, ByteBuffer payload) {
    start(offsetDelta, timestampDelta, payload.remaining());
    buffer.put(payload);
  }

  private void start(int offsetDelta, long timestampDelta, long payloadBytes) {
    long bodyBytes =
        ATTRIBUTES_BYTES
            + Varint.sizeOfLong(timestampDelta)
            + Varint.sizeOfInt(offsetDelta)
            + payloadBytes;
    makeRoom(Varint.MAX_INT_BYTES + bodyBytes);
    Varint.writeInt(buffer, (int) bodyBytes);
    buffer.put((byte) 0);
    Varint.writeLong(buffer, timestampDelta);
    Varint.writeInt(buffer, offsetDelta);
  }

  private void makeRoom(long sizeBytes) {
    if (sizeBytes <= buffer.remaining()) {
      return;
    }
    long needed = buffer.position() + sizeBytes;
    if (needed > Integer.MAX_VALUE) {
      throw new InvalidBatchException(
          Reason.TOO_LARGE, "the batch would have " + needed + " bytes, more than 2^31-1");
    }
    long capacity = Math.max(needed, Math.min(2L * buffer.capacity(), Integer.MAX_VALUE));
    buffer = ByteBuffer.allocateDirect((int) capacity).put(buffer.flip());
  }

  private void put(ByteBuffer field) {
    if (field == null) {
      Varint.writeInt(buffer, NULL_LENGTH);
      return;
    }
    int length = field.remaining();
    Varint.writeInt(buffer, length);
    buffer.put(buffer.position(), field, field.position(), length);
    buffer.position(buffer.position() + length);
  }

  private static long sizeOf(ByteBuffer field) {
    return field == null
        ? Varint.sizeOfInt(NULL_LENGTH)
        : (long) Varint.sizeOfInt(field.remaining()) + field.remaining();
  }
}
