package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Copies bytes of a file to the start of an empty one. Pieces of zeros are left out where the file
 * system can have holes: a damaged file may claim more of them than the disk has room for.
 */
final class ByteCopy {
  private static final int PIECE_BYTES = 1 << 16;

  private final DiskFile source;
  private final DiskFile copy;

  ByteCopy(DiskFile source, DiskFile copy) {
    this.source = source;
    this.copy = copy;
  }

  /** Those from one position up to another, all of which must be there. */
  void of(long from, long to) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    ByteBuffer zeros = ByteBuffer.allocate(PIECE_BYTES);
    for (long at = from; at < to; at += piece.limit()) {
      piece.clear().limit((int) Math.min(PIECE_BYTES, to - at));
      if (source.read(piece, at) < piece.limit()) {
        throw new EOFException(
            "%s ends before byte %d, up to which it was to be copied".formatted(source.path(), to));
      }
      boolean isLast = at + piece.limit() == to;
      if (isLast || !piece.flip().equals(zeros.clear().limit(piece.limit()))) {
        copy.write(piece.rewind(), at - from);
      }
    }
  }
}
