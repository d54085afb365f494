package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;

/**
 * The part of a batch's records that is in memory, unpacked. Of a plain batch that is all of them,
 * in place. Of a packed one it is a window that slides over the unpacked stream and grows only when
 * bytes that really came do not fit.
 */
final class RecordWindow {
  private static final int INITIAL_BYTES = 64 << 10;
  private static final int LARGEST_BYTES = Integer.MAX_VALUE - 8;
  private static final int RETAINED_BYTES = 4 << 20;
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final Codecs codecs;
  private ByteBuffer own;
  private ByteBuffer bytes = EMPTY;
  private Unpacker unpacker;
  private boolean ended = true;
  private long unpackedBytes;
  private long maxUnpackedBytes;

  RecordWindow(Codecs codecs) {
    this.codecs = codecs;
  }

  void open(RecordBatch batch, UnpackLimits limits) {
    bytes = EMPTY;
    ended = true;
    Compression compression = batch.compression();
    if (compression == Compression.NONE) {
      bytes = batch.packedRecords();
      return;
    }
    unpacker = codecs.unpacker(compression);
    unpacker.open(batch.packedRecords());
    if (own == null || own.capacity() > RETAINED_BYTES) {
      own = ByteBuffer.allocateDirect(INITIAL_BYTES);
    }
    bytes = own.clear().limit(0);
    ended = false;
    unpackedBytes = 0;
    maxUnpackedBytes = limits.batchBytes();
  }

  /** What is in memory, between position and limit. Replaced and moved by {@link #fill}. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Tries to have so many bytes in memory; false if the records end before. */
  boolean fill(int wantedBytes) {
    while (bytes.remaining() < wantedBytes && !ended) {
      makeRoom();
      unpack();
    }
    return bytes.remaining() >= wantedBytes;
  }

  /** Whether nothing is left, in memory or packed. */
  boolean isAtEnd() {
    return !fill(1);
  }

  private void makeRoom() {
    if (own.remaining() < own.capacity()) {
      own.compact();
      return;
    }
    if (own.capacity() == LARGEST_BYTES) {
      throw new InvalidBatchException(
          Reason.TOO_LARGE, "a record has more than the " + LARGEST_BYTES + " bytes of a buffer");
    }
    int doubledBytes = (int) Math.min(2L * own.capacity(), LARGEST_BYTES);
    own = ByteBuffer.allocateDirect(doubledBytes).put(own);
  }

  private void unpack() {
    int before = own.position();
    unpacker.read(own);
    unpackedBytes += own.position() - before;
    if (unpackedBytes > maxUnpackedBytes) {
      throw new InvalidBatchException(
          Reason.TOO_LARGE,
          "the records unpack to more than "
              + maxUnpackedBytes
              + " bytes; send smaller batches or raise the limit");
    }
    ended = own.hasRemaining();
    bytes = own.flip();
  }
}
