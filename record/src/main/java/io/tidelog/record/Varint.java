package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;

/**
 * Signed integers of variable length: zig-zag (0, -1, 1, -2 … become 0, 1, 2, 3 …), then seven bits
 * a byte, lowest first, the top bit set on all bytes but the last. An int takes 1 to 5 bytes, a
 * long 1 to 10.
 *
 * <p>Reads take bytes between the buffer's position and limit, and move the position.
 */
public final class Varint {
  /** Most bytes that an int takes. */
  public static final int MAX_INT_BYTES = 5;

  private static final int MAX_INT_SHIFT = 28;
  private static final int MAX_LONG_SHIFT = 63;

  private Varint() {}

  /**
   * Reads an int.
   *
   * @throws InvalidBatchException (INVALID_RECORD) if it has more than 5 bytes or the buffer ends
   *     within it
   */
  public static int readInt(ByteBuffer source) {
    int raw = 0;
    for (int shift = 0; shift <= MAX_INT_SHIFT; shift += 7) {
      byte b = next(source);
      raw |= (b & 0x7f) << shift;
      if (b >= 0) {
        return (raw >>> 1) ^ -(raw & 1);
      }
    }
    throw new InvalidBatchException(Reason.INVALID_RECORD, "varint has more than 5 bytes");
  }

  /**
   * Reads a long.
   *
   * @throws InvalidBatchException (INVALID_RECORD) if it has more than 10 bytes or the buffer ends
   *     within it
   */
  public static long readLong(ByteBuffer source) {
    long raw = 0;
    for (int shift = 0; shift <= MAX_LONG_SHIFT; shift += 7) {
      byte b = next(source);
      raw |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return (raw >>> 1) ^ -(raw & 1);
      }
    }
    throw new InvalidBatchException(Reason.INVALID_RECORD, "varlong has more than 10 bytes");
  }

  /** Writes an int; the buffer must have room for {@link #sizeOfInt}. */
  public static void writeInt(ByteBuffer target, int value) {
    int raw = (value << 1) ^ (value >> 31);
    while ((raw & ~0x7f) != 0) {
      target.put((byte) (raw | 0x80));
      raw >>>= 7;
    }
    target.put((byte) raw);
  }

  /** Writes a long; the buffer must have room for {@link #sizeOfLong}. */
  public static void writeLong(ByteBuffer target, long value) {
    long raw = (value << 1) ^ (value >> 63);
    while ((raw & ~0x7fL) != 0) {
      target.put((byte) (raw | 0x80));
      raw >>>= 7;
    }
    target.put((byte) raw);
  }

  /** Bytes that {@link #writeInt} takes. */
  public static int sizeOfInt(int value) {
    int raw = (value << 1) ^ (value >> 31);
    return bytesForBits(Integer.SIZE - Integer.numberOfLeadingZeros(raw));
  }

  /** Bytes that {@link #writeLong} takes. */
  public static int sizeOfLong(long value) {
    long raw = (value << 1) ^ (value >> 63);
    return bytesForBits(Long.SIZE - Long.numberOfLeadingZeros(raw));
  }

  private static int bytesForBits(int bits) {
    return Math.max(1, (bits + 6) / 7);
  }

  private static byte next(ByteBuffer source) {
    if (!source.hasRemaining()) {
      throw new InvalidBatchException(Reason.INVALID_RECORD, "data ends within a varint");
    }
    return source.get();
  }
}
