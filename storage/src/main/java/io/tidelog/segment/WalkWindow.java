package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes of one file that walks over it hold. A lookup borrows one, so that it allocates no buffer
 * and its steps read nothing twice; what is borrowed on a thread again meanwhile is another one.
 * For one thread.
 */
public final class WalkWindow implements AutoCloseable {
  private static final int FIRST_BYTES = 4096;
  private static final int MOST_KEPT_BYTES = 256 << 10;
  private static final ThreadLocal<WalkWindow> IDLE = new ThreadLocal<>();

  private ByteBuffer bytes;
  private DiskFile file;
  private int at;

  private WalkWindow(ByteBuffer bytes) {
    this.bytes = bytes.limit(0);
  }

  /** One of its own, in the heap. */
  static WalkWindow heap(int sizeBytes) {
    return new WalkWindow(ByteBuffer.allocate(sizeBytes));
  }

  /** One of its own, outside of the heap. */
  static WalkWindow direct(int sizeBytes) {
    return new WalkWindow(ByteBuffer.allocateDirect(sizeBytes));
  }

  /** The thread's, empty, until it is closed. */
  public static WalkWindow borrow() {
    WalkWindow idle = IDLE.get();
    if (idle == null) {
      return direct(FIRST_BYTES);
    }
    IDLE.set(null);
    return idle;
  }

  /** Gives it back. */
  @Override
  public void close() {
    forget();
    if (bytes.capacity() <= MOST_KEPT_BYTES) {
      IDLE.set(this);
    }
  }

  /** Holds nothing any more. */
  void forget() {
    file = null;
    bytes.limit(0);
  }

  int capacity() {
    return bytes.capacity();
  }

  /** The bytes held. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Where a byte of the file is in {@link #bytes}. */
  int indexOf(int position) {
    return position - at;
  }

  /** How many bytes are held from a position on. */
  int heldFrom(DiskFile from, int position) {
    return file == from && position >= at ? Math.max(0, at + bytes.limit() - position) : 0;
  }

  /** Makes room for so many bytes; then nothing is held. */
  void grow(int toBytes) {
    bytes = ByteBuffer.allocateDirect(toBytes).limit(0);
  }

  /**
   * Holds bytes from a position on, as many as there are of those that are wanted and have room.
   *
   * @throws IOException if there are less than {@code least}
   */
  void fill(DiskFile from, int position, int least, int most) throws IOException {
    file = null;
    at = position;
    int read = from.read(bytes.clear().limit(most), position);
    bytes.flip();
    if (read < least) {
      throw new IOException(
          "%s ends at byte %d, expected %d: it was cut while being read"
              .formatted(from.path(), position + read, position + least));
    }
    file = from;
  }
}
