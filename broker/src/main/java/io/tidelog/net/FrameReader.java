package io.tidelog.net;

import io.tidelog.protocol.FrameBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Cuts what one connection sends into frames (a length of four bytes, then that many bytes), in
 * place, in pooled buffers.
 *
 * <p>A length reserves nothing: the buffer is at most twice what has come of the frame, or as large
 * as frames of this connection have lately been (at most {@value #MAX_USUAL_BYTES}), so that a
 * steady stream is received without a copy.
 */
final class FrameReader {
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int MAX_USUAL_BYTES = 4 << 20;

  /**
   * Up to here a buffer that a read has filled makes the next one larger, for peers that send many
   * small frames.
   */
  private static final int MANY_FRAMES_BYTES = 64 << 10;

  /**
   * From here on a frame is read to its end and no further, so that the next one starts in a buffer
   * of its own.
   */
  private static final int LONG_FRAME_BYTES = 32 << 10;

  private final BufferPool pool;
  private final int maxFrameBytes;
  private ReceiveBuffer buffer;
  private int frameStart;
  private int usualBytes = BufferPool.SMALLEST_BYTES;
  private boolean filled;

  FrameReader(BufferPool pool, int maxFrameBytes) {
    this.pool = pool;
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * Makes sure that there is room for more of the frame that is arriving; none must be whole.
   *
   * @return false if the pool is spent
   */
  boolean makeRoom() throws NoMemoryException {
    if (buffer != null && unread() == 0) {
      recycle();
    }
    if (buffer == null) {
      return begin();
    }
    return frameStart + frameBytes() <= buffer.bytes().capacity() || move();
  }

  /**
   * Reads once into the room that {@link #makeRoom} has made.
   *
   * @return bytes read, -1 at the end of the stream
   */
  int read(ReadableByteChannel channel) throws IOException {
    ByteBuffer bytes = buffer.bytes();
    long end = frameStart + frameBytes();
    boolean toFrameEnd = frameBytes() >= LONG_FRAME_BYTES && end <= bytes.capacity();
    bytes.limit(toFrameEnd ? (int) end : bytes.capacity());
    int read = channel.read(bytes);
    filled = !bytes.hasRemaining();
    if (filled && usualBytes < MANY_FRAMES_BYTES) {
      usualBytes *= 2;
    }
    return read;
  }

  /** Whether the last read took all that it had room for, so that more may be waiting. */
  boolean filledItsRoom() {
    return filled;
  }

  /**
   * Whether {@link #next} has something to say: a whole frame has come, or a length that cannot be
   * one.
   */
  boolean hasNext() {
    return unread() >= LENGTH_BYTES && (!isAllowed(length()) || unread() >= frameBytes());
  }

  /** The API key of the frame that {@link #next} would return, -1 if it holds none. */
  short nextApiKey() {
    boolean holdsOne = isAllowed(length()) && length() >= Short.BYTES;
    return holdsOne ? buffer.bytes().getShort(frameStart + LENGTH_BYTES) : -1;
  }

  /**
   * Takes the next frame, without its length. Its bytes stay while the {@link #claim} on them is
   * held.
   */
  ByteBuffer next() throws BadFrameException {
    int length = length();
    if (!isAllowed(length)) {
      throw badLength(length);
    }
    int start = frameStart + LENGTH_BYTES;
    frameStart = start + length;
    int frameBytes = LENGTH_BYTES + length;
    usualBytes = Math.min(MAX_USUAL_BYTES, Math.max(frameBytes, usualBytes - usualBytes / 8));
    return buffer.bytes().slice(start, length);
  }

  /** A claim on the buffer in which the frame taken last lies. */
  FrameBuffer claim() {
    return buffer.claim();
  }

  /** Whether a part of a frame has come. */
  boolean isInsideFrame() {
    return unread() > 0;
  }

  /** How much of the frame has come: "10 of 500 bytes". */
  String progress() {
    return unread() + " of " + frameBytes() + " bytes";
  }

  /** Gives the buffer back unless a part of a frame is in it. */
  void rest() {
    if (unread() == 0) {
      close();
    }
  }

  /** Gives the buffer up; what has come of a frame is lost. */
  void close() {
    if (buffer != null) {
      buffer.release();
      buffer = null;
    }
  }

  private int unread() {
    return buffer == null ? 0 : buffer.bytes().position() - frameStart;
  }

  private int length() {
    return buffer.bytes().getInt(frameStart);
  }

  private boolean isAllowed(int length) {
    return length > 0 && length <= maxFrameBytes;
  }

  /**
   * Length of the frame that is arriving, with its length field; of that field alone until it has
   * come.
   */
  long frameBytes() {
    return unread() < LENGTH_BYTES ? LENGTH_BYTES : LENGTH_BYTES + (long) length();
  }

  private boolean begin() throws NoMemoryException {
    ByteBuffer bytes = pool.acquire(usualBytes);
    if (bytes == null) {
      bytes = pool.acquire(BufferPool.SMALLEST_BYTES);
    }
    return bytes != null && use(bytes);
  }

  /**
   * Starts again at the front of an empty buffer, or lets it go if requests refer to most of it.
   */
  private void recycle() {
    ByteBuffer bytes = buffer.bytes();
    if (buffer.isUnshared()) {
      bytes.position(0);
      frameStart = 0;
    } else if (bytes.capacity() - frameStart < bytes.capacity() / 2) {
      close();
    }
  }

  /** Moves the part of a frame that has come to where there is room for more of it. */
  private boolean move() throws NoMemoryException {
    int have = unread();
    int wanted = (int) Math.min(frameBytes(), Math.max(2L * have, usualBytes));
    ByteBuffer old = buffer.bytes();
    old.limit(old.position()).position(frameStart);
    if (wanted <= old.capacity() && buffer.isUnshared()) {
      old.compact();
      frameStart = 0;
      return true;
    }
    ByteBuffer larger = pool.acquireToFinish(wanted, this);
    if (larger == null) {
      old.limit(old.capacity()).position(frameStart + have);
      return false;
    }
    larger.put(old);
    buffer.release();
    return use(larger);
  }

  private boolean use(ByteBuffer bytes) {
    buffer = new ReceiveBuffer(bytes, pool);
    frameStart = 0;
    return true;
  }

  private BadFrameException badLength(int length) {
    String guess = ForeignProtocol.guess(length);
    if (guess != null) {
      return new BadFrameException(
          "this is " + guess + ", but the port speaks the Kafka protocol in plain text");
    }
    return new BadFrameException(
        "a frame of "
            + length
            + " bytes is announced, but from 1 to "
            + maxFrameBytes
            + " are allowed (socket.request.max.bytes)");
  }
}
