package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;

/**
 * Batches that stand in two logs of a partition. A bracket that was interrupted leaves copies: then
 * the later log counts. Other batches for the same offsets contradict each other.
 */
final class Copies {
  private final NavigableMap<Long, List<Placed>> sound = new TreeMap<>();
  private final NavigableSet<Long> bases;

  /** What tells one batch from another. */
  private record Batch(long nextOffset, int sizeBytes, long crc) {}

  /** A batch, and where it starts in its log. */
  private record Placed(int position, long baseOffset, Batch batch) {}

  private Copies(NavigableSet<Long> bases) {
    this.bases = bases;
  }

  /** Reads all logs of a partition. */
  static Copies among(Target target, NavigableSet<Long> bases) throws IOException {
    Copies copies = new Copies(bases);
    for (long base : bases) {
      copies.sound.put(base, soundIn(target, base));
    }
    return copies;
  }

  private static List<Placed> soundIn(Target target, long base) throws IOException {
    List<Placed> batches = new ArrayList<>();
    try (DiskFile log = target.disk().openReadOnly(target.path(base, SegmentFiles.LOG))) {
      LogPart all = new LogPart(0, (int) log.sizeBytes(), base, LogPart.OPEN);
      SoundWalk walk =
          SoundWalk.over(log, new SoundWalk.Reading(all, SoundWalk.Trust.NONE, stretch -> {}));
      while (walk.next()) {
        RecordBatch batch = walk.batch();
        Batch found = new Batch(batch.nextOffset(), batch.sizeBytes(), batch.crc());
        batches.add(new Placed(walk.position(), batch.baseOffset(), found));
      }
    }
    return batches;
  }

  /** The base offset of the next log that has something sound; null if there is none. */
  Long nextThatCounts(long base) {
    Long next = bases.higher(base);
    while (next != null && sound.get(next).isEmpty()) {
      next = bases.higher(next);
    }
    return next;
  }

  /**
   * Whether bytes of a log hold a sound batch that no later log has a copy of, though it has the
   * offsets of one.
   */
  boolean areContradictedIn(long base, LogPart bytes) {
    Map<Long, Batch> later = new HashMap<>();
    sound.tailMap(base, false).values().stream()
        .flatMap(List::stream)
        .forEach(placed -> later.put(placed.baseOffset, placed.batch));
    return sound.get(base).stream()
        .filter(placed -> placed.position >= bytes.from() && placed.position < bytes.to())
        .anyMatch(placed -> !placed.batch.equals(later.get(placed.baseOffset)));
  }
}
