package io.tidelog.net;

import io.tidelog.protocol.AnswerEncoder;
import io.tidelog.protocol.AnswerSink;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.SliceRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * What one connection has to send. Answers are written one after the other into a buffer that all
 * connections of a loop share, so that those which are ready together leave in one system call and
 * a sent answer leaves nothing to collect. Only what a full socket does not take is copied to
 * memory of its own.
 */
final class Outbox implements AnswerSink {
  /**
   * What one call of {@link #send} sends, about, so that one fast reader does not hold up the loop.
   */
  private static final long TURN_BYTES = 4 << 20;

  /** The system takes no more buffers in one call. */
  private static final int MAX_GATHERED = 16;

  /**
   * Longest piece of heap memory given to a socket: the JDK copies that much off the heap, and
   * keeps that memory.
   */
  private static final int MAX_HEAP_PIECE_BYTES = 128 << 10;

  enum Progress {
    /** Nothing is left. */
    DONE,
    /** The socket is full. */
    BLOCKED,
    /** The turn is over, though the socket may take more. */
    TURN_OVER
  }

  private final ByteBuffer scratch;
  private final Deque<Part> parts = new ArrayDeque<>();
  private ByteBuffer target;
  private int cutFrom;
  private long sentBytes;

  /**
   * @param scratch the loop's direct buffer; free for this connection's use from {@link #begin} to
   *     {@link #keep}
   */
  Outbox(ByteBuffer scratch) {
    this.scratch = scratch;
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  /** Starts a batch of answers; everything before must have been sent. */
  void begin() {
    retarget(scratch.clear());
  }

  /**
   * Whether the batch should end here: the loop's buffer is nearly full, or a long answer has taken
   * one of its own.
   */
  boolean isBatchFull() {
    return !isOnScratch() || scratch.remaining() < scratch.capacity() / 4;
  }

  /**
   * Adds an answer to the batch. If it cannot be written, nothing is added and its slices stay with
   * the caller.
   */
  void add(Request request, ApiMessage body) {
    int partsBefore = parts.size();
    ByteBuffer targetBefore = target;
    int positionBefore = target.position();
    int cutFromBefore = cutFrom;
    try {
      AnswerEncoder.encode(request, body, this);
    } catch (RuntimeException e) {
      while (parts.size() > partsBefore) {
        parts.removeLast();
      }
      target = targetBefore.position(positionBefore);
      cutFrom = cutFromBefore;
      throw e;
    }
  }

  /** Ends the batch: it is ready to be sent. */
  void end() {
    cut();
  }

  @Override
  public ByteBuffer reserve(int sizeBytes) {
    if (target.remaining() < sizeBytes) {
      cut();
      retarget(ByteBuffer.allocate(sizeBytes));
    }
    return target;
  }

  @Override
  public void append(ByteBuffer bytes) {
    cut();
    if (bytes.hasRemaining()) {
      parts.add(new Part(bytes, null));
    }
  }

  @Override
  public void append(SliceRecords slice) {
    cut();
    if (slice.sizeInBytes() > 0) {
      parts.add(new Part(null, slice));
    } else {
      slice.release();
    }
  }

  /** Sends what the socket takes. */
  Progress send(SocketChannel channel) throws IOException {
    long turnEnd = sentBytes + TURN_BYTES;
    while (!parts.isEmpty()) {
      if (sentBytes >= turnEnd) {
        return Progress.TURN_OVER;
      }
      boolean tookAll = parts.peek().slice == null ? sendBytes(channel) : sendSlice(channel);
      if (!tookAll) {
        return Progress.BLOCKED;
      }
    }
    return Progress.DONE;
  }

  /** Copies what is left out of the loop's buffer, which is somebody else's next. */
  void keep() {
    for (Part part : parts) {
      part.bytes =
          part.isBorrowed
              ? ByteBuffer.allocate(part.bytes.remaining()).put(part.bytes).flip()
              : part.bytes;
      part.isBorrowed = false;
    }
  }

  /** Drops what is left. */
  void discard() {
    for (Part part : parts) {
      part.release();
    }
    parts.clear();
  }

  /** Bytes sent since this was last asked. */
  long takeSentBytes() {
    long sent = sentBytes;
    sentBytes = 0;
    return sent;
  }

  /** The loop's buffer is direct; what a long answer gets of its own is not. */
  private boolean isOnScratch() {
    return target.isDirect();
  }

  private void retarget(ByteBuffer buffer) {
    target = buffer;
    cutFrom = buffer.position();
  }

  private void cut() {
    if (target.position() > cutFrom) {
      Part part = new Part(target.slice(cutFrom, target.position() - cutFrom), null);
      part.isBorrowed = isOnScratch();
      parts.add(part);
      cutFrom = target.position();
    }
  }

  private boolean sendBytes(SocketChannel channel) throws IOException {
    ByteBuffer[] run = bytesInFront();
    long offered = 0;
    for (ByteBuffer bytes : run) {
      offered += bytes.remaining();
    }
    long sent = run.length == 1 ? sendOne(channel, run[0]) : channel.write(run);
    sentBytes += sent;
    while (!parts.isEmpty() && parts.peek().isSent()) {
      parts.remove();
    }
    return sent == offered;
  }

  private ByteBuffer[] bytesInFront() {
    int count = 0;
    for (Iterator<Part> each = parts.iterator(); each.hasNext() && count < MAX_GATHERED; count++) {
      if (each.next().slice != null) {
        break;
      }
    }
    ByteBuffer[] run = new ByteBuffer[count];
    Iterator<Part> each = parts.iterator();
    for (int i = 0; i < count; i++) {
      run[i] = each.next().bytes;
    }
    return run;
  }

  private static long sendOne(SocketChannel channel, ByteBuffer bytes) throws IOException {
    long sent = 0;
    int end = bytes.limit();
    int piece = bytes.isDirect() ? bytes.remaining() : MAX_HEAP_PIECE_BYTES;
    boolean tookAll = true;
    while (tookAll && bytes.position() < end) {
      bytes.limit(Math.min(end, bytes.position() + piece));
      sent += channel.write(bytes);
      tookAll = !bytes.hasRemaining();
    }
    bytes.limit(end);
    return sent;
  }

  private boolean sendSlice(SocketChannel channel) throws IOException {
    Part part = parts.peek();
    long sent = part.slice.transferTo(part.sliceSentBytes, channel);
    sentBytes += sent;
    part.sliceSentBytes += sent;
    if (!part.isSent()) {
      return false;
    }
    parts.remove().release();
    return true;
  }

  /** Bytes, or a slice and how much of it has been sent. */
  private static final class Part {
    private final SliceRecords slice;
    private ByteBuffer bytes;
    private boolean isBorrowed;
    private long sliceSentBytes;

    Part(ByteBuffer bytes, SliceRecords slice) {
      this.bytes = bytes;
      this.slice = slice;
    }

    boolean isSent() {
      return slice == null ? !bytes.hasRemaining() : sliceSentBytes >= slice.sizeInBytes();
    }

    void release() {
      if (slice != null) {
        slice.release();
      }
    }
  }
}
