package io.tidelog.net;

import io.tidelog.protocol.FrameBuffer;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pooled buffer in which frames lie. Its connection holds a claim while it may read more into it,
 * each request that refers to its bytes another; with the last claim it goes back to the pool.
 */
final class ReceiveBuffer implements FrameBuffer {
  private final ByteBuffer bytes;
  private final BufferPool pool;
  private final AtomicInteger claims = new AtomicInteger(1);

  ReceiveBuffer(ByteBuffer bytes, BufferPool pool) {
    this.bytes = bytes;
    this.pool = pool;
  }

  ByteBuffer bytes() {
    return bytes;
  }

  /** Adds a claim, to be given up by {@link #release}. */
  FrameBuffer claim() {
    claims.incrementAndGet();
    return this;
  }

  /** Whether nobody but the caller holds a claim. */
  boolean isUnshared() {
    return claims.get() == 1;
  }

  @Override
  public void release() {
    int left = claims.decrementAndGet();
    if (left == 0) {
      pool.release(bytes);
    } else if (left < 0) {
      throw new IllegalStateException("A receive buffer was released more often than claimed");
    }
  }
}
