package io.tidelog.recovery;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SegmentSwap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Ends what a stop has interrupted in a partition's folder: a swap of segments ({@link
 * SegmentSwap}), ours or Kafka's. One of which any file is not complete, or whose old segments are
 * all there, is undone, and so is each that lies above it, for Kafka may swap several at once; the
 * others are finished. A file that ends with {@code .swap} may have lost its end, or be another's:
 * what it would replace is worth more. Each step can be interrupted again.
 */
public final class InterruptedSwaps {
  private final Disk disk;
  private final Path directory;

  private InterruptedSwaps(Disk disk, Path directory) {
    this.disk = disk;
    this.directory = directory;
  }

  /** Ends all that there are in a partition's folder. */
  public static void settle(Disk disk, Path directory) throws IOException {
    new InterruptedSwaps(disk, directory).settle();
  }

  private void settle() throws IOException {
    NavigableSet<Long> incomplete = bases(SegmentFiles.CLEANED, SegmentFiles.DATA_SUFFIXES);
    NavigableSet<Long> swaps = bases(SegmentFiles.SWAP, SegmentFiles.DATA_SUFFIXES);
    NavigableSet<Long> undone = new TreeSet<>(incomplete);
    for (long base : swaps) {
      if (!incomplete.headSet(base, true).isEmpty() || isBesideItsOldOnes(base)) {
        undone.addAll(swaps.tailSet(base, true));
        break;
      }
    }
    for (long base : undone.descendingSet()) {
      swaps.remove(base);
      if (base != undone.first()) {
        swapAt(base).undo();
      }
    }
    if (!undone.isEmpty()) {
      swapAt(undone.first()).undo();
    }
    for (long base : swaps) {
      finish(base);
    }
  }

  private SegmentSwap swapAt(long base) {
    return new SegmentSwap(disk, directory, base);
  }

  private NavigableSet<Long> bases(String ending, List<String> suffixes) throws IOException {
    NavigableSet<Long> bases = new TreeSet<>();
    for (String name : disk.list(directory)) {
      for (String suffix : suffixes) {
        SegmentFiles.baseOffset(name, suffix + ending).ifPresent(bases::add);
      }
    }
    return bases;
  }

  private void finish(long base) throws IOException {
    SegmentSwap swap = swapAt(base);
    if (disk.exists(swap.ready(SegmentFiles.LOG))) {
      deleteOld(base, end(swap.ready(SegmentFiles.LOG), base).orElse(base));
      swap.sync();
    }
    if (disk.exists(swap.ready(SegmentFiles.LOG)) || disk.exists(log(base))) {
      swap.finish();
    } else {
      swap.undo();
    }
  }

  private Path log(long base) {
    return SegmentFiles.path(directory, base, SegmentFiles.LOG);
  }

  /**
   * Whether the log that has a swap's name is there, and so are all others that it would replace:
   * the first goes durably before any other. Not if one of them is damaged, or ends before the swap
   * does, unless the swap is damaged itself or ends where no swap can: in the last log.
   */
  private boolean isBesideItsOldOnes(long base) throws IOException {
    Path swapped = swapAt(base).ready(SegmentFiles.LOG);
    if (!disk.exists(swapped) || !disk.exists(log(base))) {
      return false;
    }
    OptionalLong end = end(swapped, base);
    NavigableSet<Long> logs = bases("", List.of(SegmentFiles.LOG));
    return end.isEmpty() || end.getAsLong() > logs.last() || doReach(logs, base, end.getAsLong());
  }

  private boolean doReach(NavigableSet<Long> logs, long base, long end) throws IOException {
    long reached = base;
    for (long old : logs.subSet(base, true, Math.max(base, end - 1), true)) {
      OptionalLong oldEnd = end(log(old), old);
      if (oldEnd.isEmpty()) {
        return false;
      }
      reached = oldEnd.getAsLong();
    }
    return reached > base && reached >= end;
  }

  /** The offset after the last one of the new log; empty if it is damaged. */
  private OptionalLong end(Path log, long base) throws IOException {
    long end = base;
    try (DiskFile file = disk.openReadOnly(log)) {
      long sizeBytes = file.sizeBytes();
      BatchWalk walk = BatchWalk.scan(file, 0, (int) Math.min(sizeBytes, Integer.MAX_VALUE));
      while (walk.next()) {
        end = walk.batch().nextOffset();
      }
      return OptionalLong.of(end);
    } catch (CorruptLogException damage) {
      return OptionalLong.empty();
    }
  }

  /** The segments that the new one replaces. */
  private void deleteOld(long base, long end) throws IOException {
    for (String suffix : SegmentFiles.DATA_SUFFIXES) {
      for (long old :
          bases("", List.of(suffix)).subSet(base, true, Math.max(end - 1, base), true)) {
        disk.delete(SegmentFiles.path(directory, old, suffix));
      }
    }
  }
}
