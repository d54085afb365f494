package io.tidelog.log;

import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Objects;

/**
 * Whole batches that lie one after the other in one segment file. The segment stays open, even if
 * the log drops it, until the slice is released. For one thread at a time.
 */
public final class LogSlice {
  /** No batches; needs no release. */
  public static final LogSlice EMPTY = new LogSlice(null, 0, 0, List.of());

  private Segment segment;
  private final int position;
  private final int sizeBytes;
  private final List<AbortedTransaction> aborted;

  private LogSlice(Segment segment, int position, int sizeBytes, List<AbortedTransaction> aborted) {
    this.segment = segment;
    this.position = position;
    this.sizeBytes = sizeBytes;
    this.aborted = aborted;
  }

  /** A slice of a segment on which the caller has taken a pin, which passes to the slice. */
  static LogSlice pinned(
      Segment segment, int position, int sizeBytes, List<AbortedTransaction> aborted) {
    return new LogSlice(segment, position, sizeBytes, aborted);
  }

  /**
   * The transactions that a reader of committed records must pass over in this slice, by rising
   * offset of their markers: those that were aborted and reach from before the slice's end to its
   * first offset or beyond. Empty unless the slice was read up to the last stable offset.
   */
  public List<AbortedTransaction> aborted() {
    return aborted;
  }

  /** Length in bytes, a whole number of batches; 0 for the empty slice. */
  public int sizeBytes() {
    return sizeBytes;
  }

  /**
   * Sends up to {@code count} bytes from {@code from} within the slice to a channel, without a copy
   * through the heap.
   *
   * @return how many bytes the channel took
   */
  public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
    Objects.checkFromIndexSize(from, count, sizeBytes);
    return count == 0 ? 0 : segment.transferTo(position + from, count, target);
  }

  /** Reads from {@code from} within the slice until the buffer is full or the slice ends. */
  public int read(ByteBuffer target, long from) throws IOException {
    Objects.checkIndex(from, sizeBytes + 1L);
    int limit = target.limit();
    target.limit((int) Math.min(limit, target.position() + sizeBytes - from));
    try {
      return target.hasRemaining() ? segment.read(target, position + from) : 0;
    } finally {
      target.limit(limit);
    }
  }

  /** Lets the segment go. Calling it again has no effect. */
  public void release() {
    Segment held = segment;
    segment = null;
    if (held != null) {
      try {
        held.unpin();
      } catch (IOException e) {
        throw new UncheckedIOException("closing a segment file after its last reader", e);
      }
    }
  }
}
