package io.tidelog.net;

import io.tidelog.protocol.SliceRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A piece of what is to be sent: bytes, or a slice and how much of it has been sent. */
final class Part {
  private static final int NOT_BORROWED = -1;

  /**
   * Longest piece of heap memory given to a socket: the JDK copies that much off the heap, and
   * keeps that memory.
   */
  private static final int MAX_HEAP_PIECE_BYTES = 128 << 10;

  private final ByteBuffer bytes;
  private final int lentFrom;
  private final SliceRecords slice;
  private long sliceSentBytes;

  private Part(ByteBuffer bytes, int lentFrom, SliceRecords slice, long sliceSentBytes) {
    this.bytes = bytes;
    this.lentFrom = lentFrom;
    this.slice = slice;
    this.sliceSentBytes = sliceSentBytes;
  }

  static Part of(ByteBuffer bytes) {
    return new Part(bytes, NOT_BORROWED, null, 0);
  }

  /** Bytes that lie in the loop's buffer from there on. */
  static Part borrowed(ByteBuffer bytes, int from) {
    return new Part(bytes, from, null, 0);
  }

  static Part of(SliceRecords slice, long sentBytes) {
    return new Part(null, NOT_BORROWED, slice, sentBytes);
  }

  boolean isSlice() {
    return slice != null;
  }

  /** The bytes; they move on as they are sent. */
  ByteBuffer bytes() {
    return bytes;
  }

  boolean isBorrowed() {
    return lentFrom != NOT_BORROWED;
  }

  /** Where in the loop's buffer the first byte lies that is not sent. */
  int borrowedFrom() {
    return lentFrom + bytes.position();
  }

  /** Where in the loop's buffer they end. */
  int borrowedTo() {
    return lentFrom + bytes.limit();
  }

  /** Sends what the socket takes; returns how much that was. */
  long send(SocketChannel channel) throws IOException {
    return isSlice() ? sendSlice(channel) : sendBytes(channel);
  }

  boolean isSent() {
    return isSlice() ? sliceSentBytes >= slice.sizeInBytes() : !bytes.hasRemaining();
  }

  void release() {
    if (isSlice()) {
      slice.release();
    }
  }

  private long sendSlice(SocketChannel channel) throws IOException {
    long sent = slice.transferTo(sliceSentBytes, channel);
    sliceSentBytes += sent;
    return sent;
  }

  private long sendBytes(SocketChannel channel) throws IOException {
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
}
