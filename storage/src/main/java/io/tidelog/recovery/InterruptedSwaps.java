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
 * SegmentSwap}), ours or Kafka's. One of which any file is not complete is undone, and so is each
 * that lies above it, for Kafka may swap several at once; the others are finished. Each step can be
 * interrupted again.
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
    if (!incomplete.isEmpty()) {
      undone.addAll(swaps.tailSet(incomplete.first(), true));
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
      OptionalLong end = end(swap.ready(SegmentFiles.LOG), base);
      boolean hasOld = disk.exists(SegmentFiles.path(directory, base, SegmentFiles.LOG));
      if (end.isEmpty() && hasOld) {
        swap.undo();
        return;
      }
      deleteOld(base, end.orElse(base));
      swap.sync();
    }
    if (disk.exists(swap.ready(SegmentFiles.LOG))
        || disk.exists(SegmentFiles.path(directory, base, SegmentFiles.LOG))) {
      swap.finish();
    } else {
      swap.undo();
    }
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
