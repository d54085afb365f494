package io.tidelog.segment;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFullException;
import io.tidelog.segment.IndexFile.Width;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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
  private volatile boolean isChecked;

  TxnIndex(Disk disk, Path path) {
    this.disk = disk;
    this.path = path;
  }

  /** One that lies somewhere; of a log that is gone, as it may be. */
  public static TxnIndex at(Disk disk, Path path) {
    return new TxnIndex(disk, path);
  }

  /** Where it is, or would be. */
  public Path path() {
    return path;
  }

  /** Whether it was compared with the log, or made from it, by this process. */
  public boolean isChecked() {
    return isChecked;
  }

  /** It says what the log says. */
  public void checked() {
    isChecked = true;
  }

  /** Knows none any more, and is to be compared with the log: the file is not what was written. */
  public synchronized void lose() {
    file = IndexFile.absent(disk, path, TxnIndexWalk.ENTRY_BYTES);
    isChecked = false;
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
    add(entries, aborted);
    entries.writeIfPossible();
  }

  private static void add(IndexFile entries, AbortedTransaction aborted) {
    ByteBuffer room = entries.roomForOne();
    room.putShort(TxnIndexWalk.VERSION).putLong(aborted.producerId());
    room.putLong(aborted.firstOffset()).putLong(aborted.lastOffset());
    room.putLong(aborted.lastStableOffset());
    entries.published();
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

  /** All of them, by rising offset of their markers. */
  public List<AbortedTransaction> all() throws IOException {
    IndexFile entries = file();
    List<AbortedTransaction> all = new ArrayList<>();
    for (int i = 0; i < entries.entries(); i++) {
      all.add(entry(entries, i));
    }
    return all;
  }

  /**
   * Adds to a list the transactions whose markers lie between two offsets, the second exclusive.
   */
  public void collectEndedIn(long from, long to, List<AbortedTransaction> found)
      throws IOException {
    IndexFile entries = file();
    int end = endedBefore(entries, to);
    for (int i = endedBefore(entries, from); i < end; i++) {
      found.add(entry(entries, i));
    }
  }

  /** How many transactions have ended below an offset: the first entries. */
  private static int endedBefore(IndexFile entries, long offset) throws IOException {
    return entries.floor(TxnIndexWalk.LAST_OFFSET_AT, Width.LONG, offset - 1) + 1;
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

  /**
   * Checks all entries.
   *
   * @param baseOffset of the segment
   * @param end the offset after its last one
   * @throws CorruptLogException if one cannot be right
   */
  public void check(long baseOffset, long end) throws IOException {
    IndexFile entries = file();
    long leastMarker = baseOffset;
    for (int i = 0; i < entries.entries(); i++) {
      short version = (short) (entries.intAt(i, TxnIndexWalk.VERSION_AT) >>> Short.SIZE);
      AbortedTransaction aborted = entry(entries, i);
      if (version != TxnIndexWalk.VERSION) {
        throw damaged(i, "version is " + version + ", expected " + TxnIndexWalk.VERSION);
      }
      if (aborted.lastOffset() < leastMarker || aborted.lastOffset() >= end) {
        throw damaged(
            i,
            "last offset is %d, expected %d to %d"
                .formatted(aborted.lastOffset(), leastMarker, end - 1));
      }
      if (aborted.firstOffset() < 0 || aborted.firstOffset() >= aborted.lastOffset()) {
        throw damaged(
            i,
            "first offset is %d, expected one below the last, %d"
                .formatted(aborted.firstOffset(), aborted.lastOffset()));
      }
      if (aborted.lastStableOffset() < 0 || aborted.lastStableOffset() > aborted.lastOffset() + 1) {
        throw damaged(
            i,
            "last stable offset is %d, expected at most %d"
                .formatted(aborted.lastStableOffset(), aborted.lastOffset() + 1));
      }
      leastMarker = aborted.lastOffset() + 1;
    }
  }

  private CorruptLogException damaged(int entry, String finding) {
    return new CorruptLogException(
        path, (long) entry * TxnIndexWalk.ENTRY_BYTES, "entry " + entry + ": " + finding);
  }

  /** Tells of aborted transactions by rising offset of their markers. */
  @FunctionalInterface
  public interface Source {
    void tell(Consumer<AbortedTransaction> sink) throws IOException;
  }

  /**
   * Puts others in place of the entries that are there, durably: after a crash all of one kind. On
   * a full disk they are in memory alone, and the file is as it was, until the next sync: what was
   * wrong with it is found again until then.
   */
  public synchronized void replace(Source source) throws IOException {
    List<AbortedTransaction> all = new ArrayList<>();
    source.tell(all::add);
    put(all);
    isChecked = true;
  }

  /** Adds entries whose markers lie behind those that are there; durable as {@link #replace} is. */
  public synchronized void addAll(List<AbortedTransaction> later) throws IOException {
    List<AbortedTransaction> all = all();
    later.stream().filter(aborted -> !all.contains(aborted)).forEach(all::add);
    put(all);
  }

  private void put(List<AbortedTransaction> all) throws IOException {
    try {
      replaceFile(all);
      file = null;
    } catch (DiskFullException full) {
      IndexFile inMemory = IndexFile.absent(disk, path, TxnIndexWalk.ENTRY_BYTES);
      all.forEach(aborted -> add(inMemory, aborted));
      file = inMemory;
    }
  }

  private void replaceFile(List<AbortedTransaction> all) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    if (disk.exists(fresh)) {
      disk.delete(fresh);
    }
    IndexFile entries = IndexFile.absent(disk, fresh, TxnIndexWalk.ENTRY_BYTES);
    all.forEach(aborted -> add(entries, aborted));
    if (!all.isEmpty()) {
      entries.sync();
      disk.rename(fresh, path);
      disk.syncDirectory(path.getParent());
    } else if (disk.exists(path)) {
      disk.delete(path);
      disk.syncDirectory(path.getParent());
    }
  }

  /** Makes it durable, but for its name. */
  void sync() throws IOException {
    if (!isEmpty()) {
      file().sync();
    }
  }

  /** The same; says so if somebody has taken away what was written, which the log can replace. */
  void sync(Consumer<String> repairs) throws IOException {
    try {
      sync();
    } catch (CorruptLogException takenAway) {
      repairs.accept(
          takenAway.getMessage()
              + "; the aborted transactions of this segment are found again in its log when"
              + " committed records are next read");
    }
  }
}
