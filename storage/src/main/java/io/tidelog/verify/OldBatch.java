package io.tidelog.verify;

import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * A message of format version 0 or 1, from before Kafka 0.11, of which only this much is known.
 *
 * <pre>
 *  at  size  field   meaning
 *   0     8  offset  of the message; of the last one in it, if it packs several
 *   8     4  length  bytes that follow this field
 *  12     4  crc     CRC-32 of everything after it
 *  16     1  magic   format version, 0 or 1
 *  17     …  the rest
 * </pre>
 *
 * @param sizeBytes all of it
 * @param offset its offset
 */
record OldBatch(int sizeBytes, long offset) {
  static final int HEADER_BYTES = 17;

  private static final int LENGTH_AT = 8;
  private static final int CRC_AT = 12;
  private static final int MAGIC_AT = 16;
  private static final int SMALLEST_LENGTH = 14;
  private static final int PIECE_BYTES = 1 << 16;

  /** The message at a position, if a sound one of these versions stands there; else null. */
  static OldBatch at(DiskFile log, int position, int to) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    log.read(piece.limit(Math.min(HEADER_BYTES, to - position)), position);
    if (piece.flip().limit() < HEADER_BYTES) {
      return null;
    }
    int magic = piece.get(MAGIC_AT);
    int length = piece.getInt(LENGTH_AT);
    if (magic < 0
        || magic > 1
        || length < SMALLEST_LENGTH
        || length > to - position - LENGTH_AT - Integer.BYTES) {
      return null;
    }
    OldBatch batch = new OldBatch(LENGTH_AT + Integer.BYTES + length, piece.getLong(0));
    int claimed = piece.getInt(CRC_AT);
    return (int) batch.crc(log, position, piece) == claimed ? batch : null;
  }

  private long crc(DiskFile log, int position, ByteBuffer piece) throws IOException {
    CRC32 crc = new CRC32();
    int end = position + sizeBytes;
    for (int at = position + MAGIC_AT; at < end; at += piece.limit()) {
      log.read(piece.clear().limit(Math.min(PIECE_BYTES, end - at)), at);
      if (piece.flip().limit() == 0) {
        throw new CutWhileReadException(log.path(), at);
      }
      crc.update(piece);
      piece.position(0);
    }
    return crc.getValue();
  }
}
