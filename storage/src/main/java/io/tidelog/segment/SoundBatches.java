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
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (int at = from;
        to - at >= RecordBatch.HEADER_BYTES;
        at += PIECE_BYTES - RecordBatch.HEADER_BYTES + 1) {
      log.read(piece.clear().limit(Math.min(PIECE_BYTES, to - at)), at);
      piece.flip();
      for (int i = 0; i + RecordBatch.HEADER_BYTES <= piece.limit(); i++) {
        if (piece.get(i + RecordBatch.MAGIC_AT) == RecordBatch.MAGIC && isSound(log, at + i, to)) {
          return true;
        }
      }
    }
    return false;
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
