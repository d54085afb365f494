package io.tidelog.recovery;

import io.tidelog.checkpoint.EpochEntry;
import io.tidelog.checkpoint.LeaderEpochCheckpoint;
import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Holds the start offset of a partition from which records were deleted against its leader epochs:
 * the first of them begins there too, at the latest when the log is flushed. So a damaged number
 * neither shows what was deleted nor hides, or removes, what was not.
 *
 * <p>Costs nothing where the checkpoint is there and says nothing of the partition.
 */
public final class StartWitness {
  private final Disk disk;
  private final Path folder;
  private final Consumer<String> repairs;

  /**
   * @param folder the partition's
   * @param repairs told where the epochs decide
   */
  public StartWitness(Disk disk, Path folder, Consumer<String> repairs) {
    this.disk = disk;
    this.folder = folder;
    this.repairs = repairs;
  }

  /**
   * What is known, with a start offset to go by.
   *
   * @throws ContradictedStartException after a clean stop, if checkpoint and epochs differ
   */
  public KnownState hear(KnownState known) throws IOException {
    if (known.start() == 0) {
      return known;
    }
    OptionalLong firstLog = firstLog();
    List<EpochEntry> epochs = epochs();
    if (firstLog.isEmpty() || epochs.isEmpty() || !areOf(firstLog.getAsLong(), epochs.get(0))) {
      return known.startingAt(Math.max(0, known.start()));
    }
    long said = Math.max(known.start(), firstLog.getAsLong());
    long witnessed = epochs.get(0).startOffset();
    boolean isClean = known.stop() == KnownState.Stop.CLEAN;
    if (isClean && known.start() > 0 && said != witnessed) {
      throw new ContradictedStartException(folder, said, witnessed);
    }
    if (witnessed <= said) {
      return known.startingAt(Math.max(0, known.start()));
    }
    repairs.accept(
        "%s begins at offset %d, as its leader epochs say; %s says %s"
            .formatted(
                folder,
                witnessed,
                OffsetCheckpoint.Kind.LOG_START.fileName(),
                known.start() > 0 ? Long.toString(known.start()) : "nothing"));
    return known.startingAt(witnessed);
  }

  private OptionalLong firstLog() throws IOException {
    return disk.list(folder).stream()
        .map(name -> SegmentFiles.baseOffset(name, SegmentFiles.LOG))
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .min();
  }

  private List<EpochEntry> epochs() throws IOException {
    try {
      return new LeaderEpochCheckpoint(disk, folder).read();
    } catch (MalformedFileException toldWhenTheLogIsOpened) {
      return List.of();
    }
  }

  /** Whether the epochs tell of the first records too, and not only of what a later Kafka wrote. */
  private boolean areOf(long baseOffset, EpochEntry first) throws IOException {
    Path log = SegmentFiles.path(folder, baseOffset, SegmentFiles.LOG);
    ByteBuffer header = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);
    try (DiskFile file = disk.openReadOnly(log)) {
      if (file.read(header, 0) < RecordBatch.HEADER_BYTES) {
        return false;
      }
    }
    RecordBatch batch = RecordBatch.at(header, 0);
    return batch.magic() == RecordBatch.MAGIC
        && batch.leaderEpoch() >= 0
        && batch.leaderEpoch() <= first.epoch();
  }
}
