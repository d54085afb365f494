package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Looks for sound batches where the log's order is lost: past damage, at every byte. Tells a torn
 * tail, which holds none, from damage in the middle.
 */
public final class SoundBatches {
  private static final int PIECE_BYTES = 1 << 16;

  private SoundBatches() {}

  /** Whether a sound batch begins at any byte of the range. */
  public static boolean isAnyIn(DiskFile log, int from, int to) throws IOException {
    return next(log, new LogPart(from, to, 0, LogPart.OPEN)) < to;
  }

  /**
   * The first byte of a part at which a sound batch begins: a header that is possible, offsets that
   * the part may hold, and contents that match the CRC.
   *
   * @return the part's end if there is none
   */
  public static int next(DiskFile log, LogPart part) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (int at = part.from();
        part.to() - at >= RecordBatch.HEADER_BYTES;
        at += PIECE_BYTES - RecordBatch.HEADER_BYTES + 1) {
      log.read(piece.clear().limit(Math.min(PIECE_BYTES, part.to() - at)), at);
      piece.flip();
      for (int i = 0; i + RecordBatch.HEADER_BYTES <= piece.limit(); i++) {
        if (piece.get(i + RecordBatch.MAGIC_AT) == RecordBatch.MAGIC
            && areIn(part, RecordBatch.at(piece, i))
            && isSound(log, at + i, part.to())) {
          return at + i;
        }
      }
    }
    return part.to();
  }

  /** Whether a part may hold a batch with such offsets. */
  static boolean areIn(LogPart part, RecordBatch header) {
    return header.lastOffsetDelta() >= 0
        && header.baseOffset() >= part.firstOffset()
        && header.nextOffset() > header.baseOffset()
        && header.nextOffset() <= part.endOffset();
  }

  private static boolean isSound(DiskFile log, int at, int to) throws IOException {
    BatchWalk walk = BatchWalk.headers(log, at, to);
    try {
      walk.next();
      walk.checkCrc();
      return true;
    } catch (CorruptLogException notHere) {
      return false;
    }
  }
}
