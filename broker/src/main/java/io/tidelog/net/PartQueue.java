package io.tidelog.net;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** What leaves over one socket, in its order. */
final class PartQueue {
  /**
   * What one call of {@link #send} sends, about, so that one fast reader does not hold up the loop.
   */
  private static final long TURN_BYTES = 4 << 20;

  /** The system takes no more buffers in one call. */
  private static final int MAX_GATHERED = 16;

  enum Progress {
    /** Nothing is left. */
    DONE,
    /** The socket is full. */
    BLOCKED,
    /** The turn is over, though the socket may take more. */
    TURN_OVER
  }

  private final Deque<Part> parts = new ArrayDeque<>();
  private long sentBytes;

  boolean isEmpty() {
    return parts.isEmpty();
  }

  int size() {
    return parts.size();
  }

  void add(Part part) {
    parts.add(part);
  }

  /** Takes out the first one. */
  Part remove() {
    return parts.remove();
  }

  /** Takes out the last ones, until so many are left; their slices stay held. */
  void cutTo(int size) {
    while (parts.size() > size) {
      parts.removeLast();
    }
  }

  /** Drops all of them. */
  void discard() {
    parts.forEach(Part::release);
    parts.clear();
  }

  /** Sends what the socket takes. */
  Progress send(SocketChannel channel) throws IOException {
    long turnEnd = sentBytes + TURN_BYTES;
    while (!parts.isEmpty()) {
      if (sentBytes >= turnEnd) {
        return Progress.TURN_OVER;
      }
      ByteBuffer[] run = bytesInFront();
      boolean tookAll = run.length > 1 ? gather(channel, run) : sendFirst(channel);
      if (!tookAll) {
        return Progress.BLOCKED;
      }
    }
    return Progress.DONE;
  }

  /** Bytes sent since this was last asked. */
  long takeSentBytes() {
    long sent = sentBytes;
    sentBytes = 0;
    return sent;
  }

  private boolean sendFirst(SocketChannel channel) throws IOException {
    Part first = parts.peek();
    sentBytes += first.send(channel);
    if (!first.isSent()) {
      return false;
    }
    parts.remove().release();
    return true;
  }

  private boolean gather(SocketChannel channel, ByteBuffer[] run) throws IOException {
    sentBytes += channel.write(run);
    int left = run.length;
    while (left > 0 && parts.peek().isSent()) {
      parts.remove();
      left--;
    }
    return left == 0;
  }

  private ByteBuffer[] bytesInFront() {
    int count = 0;
    for (Iterator<Part> each = parts.iterator(); each.hasNext() && count < MAX_GATHERED; count++) {
      if (each.next().isSlice()) {
        break;
      }
    }
    ByteBuffer[] run = new ByteBuffer[count];
    Iterator<Part> each = parts.iterator();
    for (int i = 0; i < count; i++) {
      run[i] = each.next().bytes();
    }
    return run;
  }
}
