package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Walks the batches of a {@code .log} file by their headers, from one position up to another. The
 * one parser of the engine: reads, time searches, recovery and index rebuilding all use it. Memory
 * is one window, which grows only to a batch that the file really holds.
 *
 * <p>For one thread.
 */
public final class BatchWalk {
  private static final int HEADER_WINDOW_BYTES = 4096;
  private static final int SCAN_WINDOW_BYTES = 256 * 1024;
  private static final int SMALLEST_LENGTH =
      RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES;

  private final DiskFile file;
  private final int to;
  private ByteBuffer window;
  private int windowAt;
  private int position;
  private int next;
  private int lastSizeBytes;
  private RecordBatch batch;

  private BatchWalk(DiskFile file, int from, int to, ByteBuffer window) {
    this.file = file;
    this.to = to;
    this.window = window;
    this.windowAt = from;
    this.position = from;
    this.next = from;
  }

  /** A walk that looks at headers, for short ranges. */
  public static BatchWalk headers(DiskFile file, int from, int to) {
    return new BatchWalk(file, from, to, ByteBuffer.allocate(HEADER_WINDOW_BYTES).limit(0));
  }

  /** A walk that looks at the header of the first batch only. */
  public static BatchWalk oneHeader(DiskFile file, int from, int to) {
    return new BatchWalk(file, from, to, ByteBuffer.allocate(RecordBatch.HEADER_BYTES).limit(0));
  }

  /** A walk that looks at whole batches, or at a long range of headers. */
  public static BatchWalk scan(DiskFile file, int from, int to) {
    int windowBytes = Math.max(RecordBatch.HEADER_BYTES, Math.min(SCAN_WINDOW_BYTES, to - from));
    return new BatchWalk(file, from, to, ByteBuffer.allocateDirect(windowBytes).limit(0));
  }

  /**
   * Goes to the next batch.
   *
   * @return false at the end of the range
   * @throws CorruptLogException if what stands there cannot be the header of a batch that fits in
   *     the range; {@link #end} is then where the good part ends
   */
  public boolean next() throws IOException {
    position = next;
    if (position == to) {
      return false;
    }
    if (to - position < RecordBatch.HEADER_BYTES) {
      throw damaged(
          "a batch header needs "
              + RecordBatch.HEADER_BYTES
              + " bytes, the file has "
              + (to - position)
              + " more");
    }
    holdHeader();
    if (batch.batchLength() < SMALLEST_LENGTH
        || batch.batchLength() > to - position - RecordBatch.LOG_OVERHEAD_BYTES) {
      throw damaged(
          "batch length is "
              + batch.batchLength()
              + ", expected "
              + SMALLEST_LENGTH
              + " to "
              + (to - position - RecordBatch.LOG_OVERHEAD_BYTES));
    }
    if (batch.magic() != RecordBatch.MAGIC) {
      throw damaged(
          "format version (magic) is " + batch.magic() + ", expected " + RecordBatch.MAGIC);
    }
    lastSizeBytes = batch.sizeBytes();
    next = position + lastSizeBytes;
    return true;
  }

  /** The header of the batch at hand, as a view that is valid until the walk goes on. */
  public RecordBatch batch() {
    return batch;
  }

  /**
   * The batch at hand with all its bytes, which match their CRC, as a view that is valid until the
   * walk goes on.
   *
   * @throws CorruptLogException if they do not match
   */
  public RecordBatch soundBatch() throws IOException {
    checkCrc();
    hold(batch.sizeBytes());
    batch = RecordBatch.at(window, position - windowAt);
    return batch;
  }

  /**
   * Compares the bytes of the batch at hand with their CRC, a window at a time: a wrong length
   * costs no memory.
   *
   * @throws CorruptLogException if they do not match
   */
  public void checkCrc() throws IOException {
    long claimed = batch.crc();
    int end = next;
    CRC32C crc = new CRC32C();
    for (int at = position + RecordBatch.ATTRIBUTES_AT; at < end; ) {
      int bytes = holdSome(at, end);
      crc.update(window.slice(at - windowAt, bytes));
      at += bytes;
    }
    holdHeader();
    if (claimed != crc.getValue()) {
      throw damaged(
          String.format("batch CRC is 0x%08x, contents give 0x%08x", claimed, crc.getValue()));
    }
  }

  /** Goes on at a position, which may lie before the one at hand. */
  void seek(int at) {
    position = at;
    next = at;
  }

  /** Where the batch at hand starts in the file. */
  public int position() {
    return position;
  }

  /** Where the batch at hand ends in the file. */
  public int end() {
    return next;
  }

  private CorruptLogException damaged(String finding) {
    next = position;
    return new CorruptLogException(file.path(), position, finding);
  }

  /**
   * Has the header of the batch at hand in the window. After a batch larger than the window the
   * next one is likely as large, so that nothing but its header would be of use.
   */
  private void holdHeader() throws IOException {
    if (!isHeld(position, RecordBatch.HEADER_BYTES)) {
      boolean isLarge = lastSizeBytes > window.capacity();
      fill(
          position,
          RecordBatch.HEADER_BYTES,
          isLarge ? RecordBatch.HEADER_BYTES : window.capacity());
    }
    batch = RecordBatch.at(window, position - windowAt);
  }

  /** Has these many bytes of the batch at hand in the window. */
  private void hold(int bytes) throws IOException {
    if (isHeld(position, bytes)) {
      return;
    }
    if (bytes > window.capacity()) {
      window = ByteBuffer.allocateDirect(bytes);
    }
    fill(position, bytes, window.capacity());
  }

  /** Has bytes from a position on in the window, and says how many there are before {@code end}. */
  private int holdSome(int at, int end) throws IOException {
    if (!isHeld(at, 1)) {
      fill(at, 1, window.capacity());
    }
    return Math.min(end - at, windowAt + window.limit() - at);
  }

  private boolean isHeld(int at, int bytes) {
    return at >= windowAt && windowAt + window.limit() - at >= bytes;
  }

  private void fill(int at, int least, int most) throws IOException {
    window.clear().limit(Math.min(most, to - at));
    windowAt = at;
    int read = file.read(window, at);
    window.flip();
    if (read < least) {
      throw new IOException(
          "%s ends at byte %d, expected %d: it was cut while being read"
              .formatted(file.path(), at + read, at + least));
    }
  }
}
