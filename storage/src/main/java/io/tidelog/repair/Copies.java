package io.tidelog.repair;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.util.NavigableSet;

/**
 * Batches that stand in two logs of a partition. A bracket that was interrupted leaves copies: then
 * the later log counts. Other batches for the same offsets contradict each other.
 *
 * <p>Logs are read again for each question, so that memory does not grow with them.
 */
final class Copies {
  private final Target target;
  private final NavigableSet<Long> bases;

  /**
   * @param bases of the partition's logs
   */
  Copies(Target target, NavigableSet<Long> bases) {
    this.target = target;
    this.bases = bases;
  }

  /** The base offset of the next log that has something sound; null if there is none. */
  Long nextThatCounts(long base) throws IOException {
    Long next = bases.higher(base);
    while (next != null && !hasSound(next)) {
      next = bases.higher(next);
    }
    return next;
  }

  private boolean hasSound(long base) throws IOException {
    try (DiskFile log = open(base)) {
      return soundIn(log, whole(log, base)).next();
    }
  }

  /**
   * Whether bytes of a log hold a sound batch that no later log has a copy of, though it has the
   * offsets of one.
   */
  boolean areContradictedIn(long base, LogPart bytes) throws IOException {
    try (DiskFile log = open(base);
        Later later = new Later()) {
      SoundWalk walk =
          soundIn(log, new LogPart(bytes.from(), bytes.to(), bytes.firstOffset(), LogPart.OPEN));
      while (walk.next()) {
        Long holder = bases.floor(walk.batch().baseOffset());
        if (holder == null || holder <= base || !later.hasCopyOf(walk.batch(), holder)) {
          return true;
        }
      }
      return false;
    }
  }

  private DiskFile open(long base) throws IOException {
    return target.disk().openReadOnly(target.path(base, SegmentFiles.LOG));
  }

  private static LogPart whole(DiskFile log, long base) throws IOException {
    return new LogPart(0, Math.toIntExact(log.sizeBytes()), base, LogPart.OPEN);
  }

  private static SoundWalk soundIn(DiskFile log, LogPart part) throws IOException {
    return SoundWalk.over(log, new SoundWalk.Reading(part, SoundWalk.Trust.NONE, stretch -> {}));
  }

  /** Goes through the later logs in step with batches of rising offsets. */
  private final class Later implements AutoCloseable {
    private DiskFile log;
    private long base = -1;
    private SoundWalk walk;
    private boolean isAtBatch;

    boolean hasCopyOf(RecordBatch batch, long holder) throws IOException {
      if (holder != base) {
        close();
        log = open(holder);
        base = holder;
        walk = soundIn(log, whole(log, holder));
        isAtBatch = walk.next();
      }
      while (isAtBatch && walk.batch().baseOffset() < batch.baseOffset()) {
        isAtBatch = walk.next();
      }
      return isAtBatch
          && walk.batch().baseOffset() == batch.baseOffset()
          && walk.batch().nextOffset() == batch.nextOffset()
          && walk.batch().sizeBytes() == batch.sizeBytes()
          && walk.batch().crc() == batch.crc();
    }

    @Override
    public void close() throws IOException {
      if (log != null) {
        log.close();
        log = null;
      }
    }
  }
}
