package io.tidelog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Skeleton: whole batches in one segment file, pinned until released. */
public final class LogSlice {
  public static final LogSlice EMPTY = new LogSlice();

  private LogSlice() {}

  /** Length in bytes, a whole number of batches; 0 for the empty slice. */
  public int sizeBytes() {
    return 0;
  }

  /**
   * Sends up to {@code count} bytes from {@code position} within the slice to a channel, without a
   * copy through the heap.
   */
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** Reads from {@code position} within the slice until the buffer is full or the slice ends. */
  public int read(ByteBuffer target, long position) throws IOException {
    throw new IllegalStateException("skeleton");
  }

  /** Lets the segment go. Once, exactly. */
  public void release() {}
}
