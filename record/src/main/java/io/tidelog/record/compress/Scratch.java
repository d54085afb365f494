package io.tidelog.record.compress;

import java.nio.ByteBuffer;

/**
 * A direct buffer that is reused, grows when it must and does not stay large for one large need.
 */
final class Scratch {
  private static final int SMALLEST_BYTES = 64 << 10;
  private static final int RETAINED_BYTES = 4 << 20;

  private ByteBuffer buffer;

  /** The buffer, empty, with this limit. */
  ByteBuffer ofBytes(int sizeBytes) {
    int wanted = Math.max(sizeBytes, SMALLEST_BYTES);
    if (buffer == null
        || buffer.capacity() < wanted
        || (buffer.capacity() > RETAINED_BYTES && wanted <= RETAINED_BYTES)) {
      buffer = ByteBuffer.allocateDirect(wanted);
    }
    return buffer.clear().limit(sizeBytes);
  }

  /** The remaining bytes of a buffer in a direct buffer: a view if it is one, else a copy. */
  ByteBuffer directViewOf(ByteBuffer source) {
    if (source.isDirect()) {
      return source.duplicate();
    }
    return ofBytes(source.remaining()).put(source.duplicate()).flip();
  }
}
