package io.tidelog.segment;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Walks the entries of a {@code .txnindex} file: the aborted transactions whose markers lie in the
 * segment, in the order of these.
 *
 * <pre>
 *  at  size  field             meaning
 *   0     2  version           0
 *   2     8  producerId        who wrote it
 *  10     8  firstOffset       of its first record
 *  18     8  lastOffset        of the marker that ended it
 *  26     8  lastStableOffset  up to where the log was settled then
 * </pre>
 *
 * <p>Big-endian, no header, no checksum. For one thread.
 */
public final class TxnIndexWalk {
  /** The fields of an entry. */
  public static final Layout ENTRY =
      Layout.empty()
          .then("version", Short.BYTES)
          .then("producerId", Long.BYTES)
          .then("firstOffset", Long.BYTES)
          .then("lastOffset", Long.BYTES)
          .then("lastStableOffset", Long.BYTES);

  static final int VERSION_AT = 0;
  static final int PRODUCER_ID_AT = 2;
  static final int FIRST_OFFSET_AT = 10;
  static final int LAST_OFFSET_AT = 18;
  static final int LAST_STABLE_OFFSET_AT = 26;
  static final int ENTRY_BYTES = 34;

  static final short VERSION = 0;

  private final DiskFile file;
  private final ByteBuffer entry = ByteBuffer.allocate(ENTRY_BYTES);
  private long position = -ENTRY_BYTES;

  public TxnIndexWalk(DiskFile file) {
    this.file = file;
  }

  /**
   * Goes to the next entry.
   *
   * @return false after the last one
   * @throws CorruptLogException if the file ends inside of an entry, or it has another version
   */
  public boolean next() throws IOException {
    position += ENTRY_BYTES;
    int read = file.read(entry.clear(), position);
    if (read == 0) {
      return false;
    }
    if (read < ENTRY_BYTES) {
      throw new CorruptLogException(
          file.path(),
          position,
          "an entry needs %d bytes, the file has %d more".formatted(ENTRY_BYTES, read));
    }
    if (entry.getShort(VERSION_AT) != VERSION) {
      throw new CorruptLogException(
          file.path(),
          position,
          "entry has version %d, expected %d".formatted(entry.getShort(VERSION_AT), VERSION));
    }
    return true;
  }

  /** Where the entry at hand starts in the file. */
  public long position() {
    return position;
  }

  /** The entry at hand. */
  public AbortedTransaction transaction() {
    return new AbortedTransaction(
        entry.getLong(PRODUCER_ID_AT),
        entry.getLong(FIRST_OFFSET_AT),
        entry.getLong(LAST_OFFSET_AT),
        entry.getLong(LAST_STABLE_OFFSET_AT));
  }
}
