package io.tidelog.producer;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The producers of a partition as they were before one offset, in a file named by that offset: 20
 * digits and {@code .snapshot}.
 *
 * <pre>
 *  at  size  field    meaning
 *   0     2  version  1
 *   2     4  crc      CRC-32C of everything after it
 *   6     4  count    entries that follow
 *  10     …  entries
 * </pre>
 *
 * An entry, one for each producer, in no order:
 *
 * <pre>
 *  at  size  field                  meaning
 *   0     8  producerId
 *   8     2  epoch                  of its last batch or marker
 *  10     4  lastSequence           sequence number of the last record of its last batch in the epoch, -1 if none
 *  14     8  lastOffset             offset of that record, -1 if none
 *  22     4  offsetDelta            that offset less the batch's base offset
 *  26     8  timestamp              largest timestamp of its last batch, or that of the marker, ms
 *  34     4  coordinatorEpoch       of the transaction coordinator's last marker, -1 if none
 *  38     8  currentTxnFirstOffset  where its open transaction begins, -1 if none is open
 * </pre>
 *
 * Big-endian. It is a cache: a damaged one is deleted, and the batches after the one before it are
 * read again.
 */
public final class ProducerSnapshot {
  /** The fields before the entries. */
  public static final Layout HEADER =
      Layout.empty()
          .then("version", Short.BYTES)
          .then("crc", Integer.BYTES)
          .then("count", Integer.BYTES);

  /** The fields of an entry. */
  public static final Layout ENTRY =
      Layout.empty()
          .then("producerId", Long.BYTES)
          .then("epoch", Short.BYTES)
          .then("lastSequence", Integer.BYTES)
          .then("lastOffset", Long.BYTES)
          .then("offsetDelta", Integer.BYTES)
          .then("timestamp", Long.BYTES)
          .then("coordinatorEpoch", Integer.BYTES)
          .then("currentTxnFirstOffset", Long.BYTES);

  static final int VERSION_AT = 0;
  static final int CRC_AT = 2;
  static final int COUNT_AT = 6;
  static final int HEADER_BYTES = 10;
  static final int ENTRY_BYTES = 46;

  private static final short VERSION = 1;
  private static final long MAX_BYTES = 1L << 30;

  private ProducerSnapshot() {}

  /**
   * Reads a snapshot.
   *
   * @throws CorruptSnapshotException if it breaks its format
   */
  public static List<ProducerState> read(Disk disk, Path file) throws IOException {
    try (DiskFile opened = disk.openReadOnly(file)) {
      long sizeBytes = opened.sizeBytes();
      if (sizeBytes < HEADER_BYTES || sizeBytes > MAX_BYTES) {
        throw new CorruptSnapshotException(
            file, 0, sizeBytes + " bytes", HEADER_BYTES + " to " + MAX_BYTES);
      }
      ByteBuffer contents = ByteBuffer.allocate((int) sizeBytes);
      opened.read(contents, 0);
      return decode(file, contents.flip());
    }
  }

  private static List<ProducerState> decode(Path file, ByteBuffer contents)
      throws CorruptSnapshotException {
    short version = contents.getShort(VERSION_AT);
    if (version != VERSION) {
      throw new CorruptSnapshotException(
          file, VERSION_AT, "version " + version, "version " + VERSION);
    }
    int stored = contents.getInt(CRC_AT);
    int computed = crc(contents);
    if (stored != computed) {
      throw new CorruptSnapshotException(
          file, CRC_AT, "CRC 0x%08x".formatted(stored), "0x%08x".formatted(computed));
    }
    int count = contents.getInt(COUNT_AT);
    if (contents.limit() != HEADER_BYTES + (long) count * ENTRY_BYTES) {
      throw new CorruptSnapshotException(
          file,
          COUNT_AT,
          count + " entries in " + contents.limit() + " bytes",
          "10 bytes and 46 for each entry");
    }
    contents.position(HEADER_BYTES);
    List<ProducerState> states = new ArrayList<>(count);
    while (contents.hasRemaining()) {
      states.add(ProducerState.readFrom(contents));
    }
    return states;
  }

  /** The bytes of a snapshot. */
  static ByteBuffer encode(Collection<ProducerState> states) {
    ByteBuffer contents = ByteBuffer.allocate(HEADER_BYTES + states.size() * ENTRY_BYTES);
    contents.putShort(VERSION).putInt(0).putInt(states.size());
    states.forEach(state -> state.writeTo(contents));
    return contents.flip().putInt(CRC_AT, crc(contents));
  }

  private static int crc(ByteBuffer contents) {
    CRC32C crc = new CRC32C();
    crc.update(contents.slice(COUNT_AT, contents.limit() - COUNT_AT));
    return (int) crc.getValue();
  }
}
