package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SoundBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Goes through a log, as fast as the bytes come: every batch with its CRC, and the stretches that
 * hold none. Damage ends nothing; the scan goes on at the next sound batch. Memory is one window,
 * which stays in the processor's cache, larger only for a batch that the file really holds.
 *
 * <p>For one thread.
 */
final class BatchScan {
  private static final int WINDOW_BYTES = 256 << 10;
  private static final int SMALLEST_LENGTH =
      RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES;

  /** What stands at {@link #position}. */
  enum Step {
    /** A sound batch. */
    BATCH,
    /** A batch of format version 0 or 1 whose CRC is right. */
    OLD_BATCH,
    /** Bytes that are no sound batch, up to the next one. */
    DAMAGE,
    /** The end of the log. */
    END
  }

  private final DiskFile file;
  private final int to;
  private final OffsetLimits limits;
  private final CRC32C crc = new CRC32C();
  private ByteBuffer window;
  private int windowAt;
  private int position;
  private int next;
  private RecordBatch batch;
  private OldBatch old;
  private Stretch damage;
  private String found;
  private String expected;

  /**
   * Which offsets a batch after damage may have.
   *
   * @param first the least
   * @param end one more than the largest
   */
  record OffsetLimits(long first, long end) {
    boolean contains(long offset) {
      return offset >= first && offset < end;
    }
  }

  /**
   * @param to bytes of the log
   * @param limits the segment's base offset and that of the next one
   */
  BatchScan(DiskFile file, int to, OffsetLimits limits) {
    this.file = file;
    this.to = to;
    this.limits = limits;
    this.window = ByteBuffer.allocateDirect(Math.max(1, Math.min(WINDOW_BYTES, to))).limit(0);
  }

  /** Goes on at a position, before or behind. */
  void goOnAt(int from) {
    next = from;
  }

  /** Goes on to the next batch, if a sound one stands where the last one ended. */
  boolean nextBatch() throws IOException {
    position = next;
    if (position >= to || !hasHeader() || !isSound()) {
      return false;
    }
    next = position + batch.sizeBytes();
    return true;
  }

  /**
   * Goes on, whatever stands there.
   *
   * @param expectedOffset the offset after the last batch; sound batches are looked for from it on
   */
  Step next(long expectedOffset) throws IOException {
    if (nextBatch()) {
      return Step.BATCH;
    }
    if (position >= to) {
      return Step.END;
    }
    old = OldBatch.at(file, position, to);
    if (old != null) {
      next = position + old.sizeBytes();
      return Step.OLD_BATCH;
    }
    passOver(Math.max(expectedOffset, limits.first()));
    return Step.DAMAGE;
  }

  private boolean hasHeader() throws IOException {
    if (to - position < RecordBatch.HEADER_BYTES) {
      return unsound(
          (to - position) + " bytes", "the " + RecordBatch.HEADER_BYTES + " of a batch header");
    }
    hold(RecordBatch.HEADER_BYTES);
    batch = RecordBatch.at(window, position - windowAt);
    if (batch.magic() != RecordBatch.MAGIC) {
      return unsound("format version (magic) " + batch.magic(), String.valueOf(RecordBatch.MAGIC));
    }
    int most = to - position - RecordBatch.LOG_OVERHEAD_BYTES;
    if (batch.batchLength() < SMALLEST_LENGTH || batch.batchLength() > most) {
      return unsound("batch length " + batch.batchLength(), SMALLEST_LENGTH + " to " + most);
    }
    return true;
  }

  private boolean isSound() throws IOException {
    long claimed = batch.crc();
    int sizeBytes = batch.sizeBytes();
    int lastOffsetDelta = batch.lastOffsetDelta();
    long computed = crc(sizeBytes);
    if (computed != claimed) {
      return unsound(
          "batch CRC 0x%08x".formatted(claimed),
          "0x%08x, which its bytes give".formatted(computed));
    }
    if (lastOffsetDelta < 0) {
      return unsound("last offset delta " + lastOffsetDelta, "0 or more");
    }
    return true;
  }

  /** Of the batch at hand, which is in the window again afterwards, its header at least. */
  private long crc(int sizeBytes) throws IOException {
    crc.reset();
    if (sizeBytes <= window.capacity()) {
      hold(sizeBytes);
      int at = position - windowAt;
      int limit = window.limit();
      window.limit(at + sizeBytes).position(at + RecordBatch.ATTRIBUTES_AT);
      crc.update(window);
      window.limit(limit);
      batch = RecordBatch.at(window, at);
      return crc.getValue();
    }
    for (int at = position + RecordBatch.ATTRIBUTES_AT; at < position + sizeBytes; ) {
      fill(at, 1);
      window.limit(Math.min(window.limit(), position + sizeBytes - at));
      at += window.limit();
      crc.update(window.position(0));
    }
    hold(RecordBatch.HEADER_BYTES);
    batch = RecordBatch.at(window, position - windowAt);
    return crc.getValue();
  }

  private boolean unsound(String what, String instead) {
    found = what;
    expected = instead;
    return false;
  }

  private void passOver(long expectedOffset) throws IOException {
    int sound =
        SoundBatches.next(file, new LogPart(position + 1, to, expectedOffset, limits.end()));
    long nextOffset = Stretch.NONE;
    next = sound;
    if (sound < to) {
      ByteBuffer offset = ByteBuffer.allocate(Long.BYTES);
      file.read(offset, sound);
      nextOffset = offset.getLong(0);
    }
    damage = new Stretch(position, sound, expectedOffset, nextOffset, found, expected);
  }

  /** Has bytes of what stands at the position in the window. */
  private void hold(int bytes) throws IOException {
    int at = position - windowAt;
    if (at >= 0 && window.limit() - at >= bytes) {
      return;
    }
    if (bytes > window.capacity()) {
      window = ByteBuffer.allocateDirect(bytes);
    }
    fill(position, bytes);
  }

  private void fill(int at, int least) throws IOException {
    window.clear().limit(Math.min(window.capacity(), to - at));
    windowAt = at;
    if (file.read(window, at) < least) {
      throw new CutWhileReadException(file.path(), at);
    }
    window.flip();
  }

  /** The batch at hand; all of it is there after {@link #whole} alone. */
  RecordBatch batch() {
    return batch;
  }

  /** The batch of an old version at hand. */
  OldBatch oldBatch() {
    return old;
  }

  /** The sound batch at hand with all its bytes, valid until the scan goes on. */
  RecordBatch whole() throws IOException {
    hold(batch.sizeBytes());
    batch = RecordBatch.at(window, position - windowAt);
    return batch;
  }

  /** The damage at hand. */
  Stretch damage() {
    return damage;
  }

  /** Where it starts. */
  int position() {
    return position;
  }

  /** Where it ends. */
  int end() {
    return next;
  }
}
