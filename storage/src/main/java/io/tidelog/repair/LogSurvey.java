package io.tidelog.repair;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.OffsetWitness;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is sound in one log and what is not.
 *
 * @param file the log
 * @param baseOffset in its name
 * @param sizeBytes its length
 * @param runs sound batches that follow one another without damage between them
 * @param damage what lies between them
 */
record LogSurvey(
    Path file, long baseOffset, int sizeBytes, List<Run> runs, List<DamagedStretch> damage) {

  /**
   * Sound batches side by side.
   *
   * @param from where the first one starts
   * @param to where the last one ends
   * @param baseOffset of the first one
   * @param nextOffset the offset after the last one
   */
  record Run(int from, int to, long baseOffset, long nextOffset) {
    private Run and(int newTo, long newNextOffset) {
      return new Run(from, newTo, baseOffset, newNextOffset);
    }
  }

  /**
   * Reads a log, with the CRC of every batch.
   *
   * @param endOffset the base offset of the next log, or {@link LogPart#OPEN}
   */
  static LogSurvey read(Disk disk, Path directory, long baseOffset, long endOffset)
      throws IOException {
    Path file = SegmentFiles.path(directory, baseOffset, SegmentFiles.LOG);
    List<Run> runs = new ArrayList<>();
    List<DamagedStretch> damage = new ArrayList<>();
    try (DiskFile log = disk.openReadOnly(file)) {
      int sizeBytes = Math.toIntExact(log.sizeBytes());
      long limit = endOffset == LogPart.OPEN ? baseOffset + Integer.MAX_VALUE + 1L : endOffset;
      LogPart all = new LogPart(0, sizeBytes, baseOffset, limit);
      SoundWalk walk =
          SoundWalk.over(
              log,
              new SoundWalk.Reading(
                  all,
                  new Witnessed(log, OffsetWitness.of(disk, directory, baseOffset)),
                  stretch ->
                      damage.add(
                          stretch.part().to() == sizeBytes ? tail(stretch, endOffset) : stretch)));
      while (walk.next()) {
        add(runs, walk);
      }
      return new LogSurvey(file, baseOffset, sizeBytes, runs, damage);
    }
  }

  /** Trusts no batch, and the indexes where both contradict its offset. */
  private record Witnessed(DiskFile log, OffsetWitness witness) implements SoundWalk.Trust {
    @Override
    public boolean covers(int position, RecordBatch header) {
      return false;
    }

    @Override
    public long lastOffset(int position, RecordBatch header) throws IOException {
      return witness.lastOffset(log, position, header);
    }
  }

  /** Nobody knows how far the offsets of a tail go, if no log follows. */
  private static DamagedStretch tail(DamagedStretch stretch, long endOffset) {
    LogPart part = stretch.part();
    return new DamagedStretch(
        stretch.file(),
        new LogPart(part.from(), part.to(), part.firstOffset(), endOffset),
        stretch.finding());
  }

  private static void add(List<Run> runs, SoundWalk walk) {
    int last = runs.size() - 1;
    if (last >= 0 && runs.get(last).to == walk.position()) {
      runs.set(last, runs.get(last).and(walk.end(), walk.batch().nextOffset()));
    } else {
      runs.add(
          new Run(
              walk.position(), walk.end(), walk.batch().baseOffset(), walk.batch().nextOffset()));
    }
  }

  /** The offset after its last sound batch. */
  long nextOffset() {
    return runs.isEmpty() ? baseOffset : runs.get(runs.size() - 1).nextOffset;
  }
}
