package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * Walks the batches of a {@code .log} file by their headers, from one position up to another. The
 * one parser of the engine: reads, time searches, recovery and index rebuilding all use it. Memory
 * is one window, which grows only to a batch that the file really holds.
 *
 * <p>For one thread.
 */
public final class BatchWalk {
  /** A header, and in a plain batch all that the first record has before its key. */
  static final int HEAD_BYTES = RecordBatch.HEADER_BYTES + 24;

  private static final int HEADER_WINDOW_BYTES = 4096;
  private static final int SCAN_WINDOW_BYTES = 256 * 1024;

  /** A batch this small is read at once, whatever its contents. */
  private static final int SMALL_BYTES = 64 * 1024;

  private static final int SMALLEST_LENGTH =
      RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES;

  private final DiskFile file;
  private final int to;
  private final WalkWindow window;
  private int pieceBytes;
  private int mostPieceBytes;
  private int position;
  private int next;
  private int lastSizeBytes;
  private RecordBatch batch;

  private BatchWalk(DiskFile file, int from, int to, WalkWindow window) {
    this.file = file;
    this.to = to;
    this.window = window;
    this.pieceBytes = window.capacity();
    this.mostPieceBytes = pieceBytes;
    this.position = from;
    this.next = from;
  }

  /** A walk that looks at headers, for short ranges. */
  public static BatchWalk headers(DiskFile file, int from, int to) {
    return new BatchWalk(file, from, to, WalkWindow.heap(HEADER_WINDOW_BYTES));
  }

  /** A walk that looks at the header of the first batch only. */
  public static BatchWalk oneHeader(DiskFile file, int from, int to) {
    return new BatchWalk(file, from, to, WalkWindow.heap(RecordBatch.HEADER_BYTES));
  }

  /** A walk in a window that is lent, in small pieces first, and larger ones as it goes on. */
  static BatchWalk in(WalkWindow window, DiskFile file, int from, int to) {
    BatchWalk walk = new BatchWalk(file, from, to, window);
    walk.pieceBytes = HEADER_WINDOW_BYTES;
    walk.mostPieceBytes = SCAN_WINDOW_BYTES;
    return walk;
  }

  /** A walk in a window that is lent, where each batch is likely a large one. */
  static BatchWalk atOne(WalkWindow window, DiskFile file, int from, int to) {
    BatchWalk walk = new BatchWalk(file, from, to, window);
    walk.pieceBytes = HEAD_BYTES;
    return walk;
  }

  /** A walk that looks at whole batches, or at a long range of headers. */
  public static BatchWalk scan(DiskFile file, int from, int to) {
    int windowBytes = Math.max(RecordBatch.HEADER_BYTES, Math.min(SCAN_WINDOW_BYTES, to - from));
    return new BatchWalk(file, from, to, WalkWindow.direct(windowBytes));
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
    if (lastSizeBytes <= SMALL_BYTES) {
      hold(lastSizeBytes);
    }
    checkCrc();
    hold(lastSizeBytes);
    return batch;
  }

  private RecordBatch batchInWindow() {
    return RecordBatch.at(window.bytes(), window.indexOf(position));
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
      crc.update(window.bytes().slice(window.indexOf(at), bytes));
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

  /** Whether an offset stands where the batch at hand ends; false if that is not held. */
  boolean isFollowedBy(long offset) {
    return isHeld(next, Long.BYTES) && window.bytes().getLong(window.indexOf(next)) == offset;
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
      if (lastSizeBytes > pieceBytes) {
        fill(position, RecordBatch.HEADER_BYTES, Math.min(HEAD_BYTES, pieceBytes));
      } else {
        fill(position, RecordBatch.HEADER_BYTES, pieceBytes);
        pieceBytes = Math.max(pieceBytes, Math.min(2 * pieceBytes, mostPieceBytes));
      }
    }
    batch = batchInWindow();
  }

  /** Has these many bytes of the batch at hand in the window, and is a view of them. */
  private void hold(int bytes) throws IOException {
    if (!isHeld(position, bytes)) {
      pieceBytes = Math.max(pieceBytes, bytes);
      fill(position, bytes, pieceBytes);
    }
    batch = batchInWindow();
  }

  /** Has bytes from a position on in the window, and says how many there are before {@code end}. */
  private int holdSome(int at, int end) throws IOException {
    if (!isHeld(at, 1)) {
      fill(at, 1, pieceBytes);
    }
    return Math.min(end - at, window.heldFrom(file, at));
  }

  private boolean isHeld(int at, int bytes) {
    return window.heldFrom(file, at) >= bytes;
  }

  private void fill(int at, int least, int most) throws IOException {
    if (most > window.capacity()) {
      window.grow(most);
    }
    window.fill(file, at, least, Math.min(most, to - at));
  }
}
