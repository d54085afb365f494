package io.tidelog.segment;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The {@code .txnindex} of a segment: the aborted transactions whose markers lie in it, by rising
 * offset of the marker; {@link TxnIndexWalk} has the format. The file is made with the first entry,
 * and each entry is written to it at once, unless the disk does not take it: then it stays in
 * memory until the disk does, for it can be made again from the log.
 *
 * <p>One thread changes it, its log sees to that; any number of others search it at the same time.
 */
public final class TxnIndex {
  private final Disk disk;
  private final Path path;
  private volatile IndexFile file;

  TxnIndex(Disk disk, Path path) {
    this.disk = disk;
    this.path = path;
  }

  private IndexFile file() throws IOException {
    IndexFile known = file;
    return known != null ? known : open();
  }

  private synchronized IndexFile open() throws IOException {
    if (file == null) {
      file =
          disk.exists(path)
              ? IndexFile.open(disk, path, TxnIndexWalk.ENTRY_BYTES)
              : IndexFile.absent(disk, path, TxnIndexWalk.ENTRY_BYTES);
    }
    return file;
  }

  /** Whether no aborted transaction has its marker in the segment. */
  public boolean isEmpty() throws IOException {
    return file().entries() == 0;
  }

  /** Adds the one whose marker was written last. */
  public void append(AbortedTransaction aborted) throws IOException {
    IndexFile entries = file();
    ByteBuffer room = entries.roomForOne();
    room.putShort(TxnIndexWalk.VERSION).putLong(aborted.producerId());
    room.putLong(aborted.firstOffset()).putLong(aborted.lastOffset());
    room.putLong(aborted.lastStableOffset());
    entries.published();
    entries.writeIfPossible();
  }

  /**
   * Adds to a list the transactions that have offsets between {@code from} and {@code upTo},
   * exclusive, as far as this segment tells.
   *
   * @return whether there can be no more of them in later segments
   */
  public boolean collect(long from, long upTo, List<AbortedTransaction> found) throws IOException {
    IndexFile entries = file();
    int count = entries.entries();
    for (int i = endedBefore(entries, from); i < count; i++) {
      AbortedTransaction aborted = entry(entries, i);
      if (aborted.firstOffset() < upTo) {
        found.add(aborted);
      }
      if (aborted.lastStableOffset() >= upTo) {
        return true;
      }
    }
    return false;
  }

  /** How many transactions have ended below an offset: the first entries. */
  private static int endedBefore(IndexFile entries, long offset) throws IOException {
    int low = 0;
    int high = entries.entries();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.longAt(middle, TxnIndexWalk.LAST_OFFSET_AT) < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static AbortedTransaction entry(IndexFile entries, int i) throws IOException {
    return new AbortedTransaction(
        entries.longAt(i, TxnIndexWalk.PRODUCER_ID_AT),
        entries.longAt(i, TxnIndexWalk.FIRST_OFFSET_AT),
        entries.longAt(i, TxnIndexWalk.LAST_OFFSET_AT),
        entries.longAt(i, TxnIndexWalk.LAST_STABLE_OFFSET_AT));
  }

  /** Drops the transactions whose markers lie at or after an offset. */
  public void truncateTo(long offset) throws IOException {
    IndexFile entries = file();
    entries.keepFirst(endedBefore(entries, offset));
  }

  /** Makes it durable, but for its name. */
  void sync() throws IOException {
    if (!isEmpty()) {
      file().sync();
    }
  }
}
