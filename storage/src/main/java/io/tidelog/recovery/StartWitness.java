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
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Holds the start offset of a partition from which records were deleted against its leader epochs:
 * the first of them begins there too. So a damaged number neither shows what was deleted nor
 * removes what was not.
 *
 * <p>Costs nothing where the checkpoint is there and says nothing of the partition.
 */
public final class StartWitness {
  private static final String ADVICE =
      ". If the records from %d to %d were not deleted, stop, set both to where the log is to"
          + " begin, and take .cut off the names of its segments; none of their files was removed";

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
   * <p>After a clean stop both say the same, and nothing past the end. After a crash the higher one
   * decides, for what was deleted must not come back; but what it alone calls deleted is kept.
   *
   * @throws ContradictedStartException after a clean stop, if they differ and both are possible
   */
  public KnownState hear(KnownState known) throws IOException {
    if (known.start() == 0) {
      return known;
    }
    NavigableSet<Long> logs = logs();
    List<EpochEntry> epochs = epochs();
    if (logs.isEmpty() || epochs.isEmpty() || !areOf(logs, epochs.get(0))) {
      if (known.start() < 0) {
        tellUnknown(known, logs);
      }
      return known.startingAt(Math.max(0, known.start()));
    }
    long said = Math.max(known.start(), logs.first());
    long witnessed = epochs.get(0).startOffset();
    if (said == witnessed || liesBeforeAllRecords(said, witnessed, logs)) {
      return known.startingAt(said);
    }
    if (known.start() <= 0) {
      return witnessed > said ? decided(known, witnessed, said, witnessed) : known.startingAt(0);
    }
    if (known.stop() != KnownState.Stop.CLEAN) {
      long start = Math.max(said, witnessed);
      // Between its two writes retention leaves the name of a segment, as no damage does.
      return decided(
          known, start, logs.contains(start) ? start : Math.min(said, witnessed), witnessed);
    }
    long end = known.recoveryPoint();
    if ((said <= end) == (witnessed <= end)) {
      throw new ContradictedStartException(folder, said, witnessed);
    }
    long possible = Math.min(said, witnessed);
    return decided(known, possible, possible, witnessed);
  }

  /**
   * What was deleted by request is shown again, if anything was; the names of the logs say less.
   */
  private void tellUnknown(KnownState known, NavigableSet<Long> logs) throws IOException {
    if (firstBatch(logs).isPresent() && known.recoveryPoint() > logs.first()) {
      repairs.accept(
          "%s begins at offset %d, as its first log does: neither %s nor its leader-epoch-checkpoint says whether records were deleted. If some were, delete them again (kafka-delete-records.sh)"
              .formatted(folder, logs.first(), OffsetCheckpoint.Kind.LOG_START.fileName()));
    }
  }

  private KnownState decided(KnownState known, long start, long deletedBelow, long witnessed) {
    repairs.accept(
        "%s begins at offset %d: %s says %s, its leader-epoch-checkpoint %d%s"
            .formatted(
                folder,
                start,
                OffsetCheckpoint.Kind.LOG_START.fileName(),
                known.start() > 0 ? Long.toString(known.start()) : "nothing",
                witnessed,
                deletedBelow < start ? ADVICE.formatted(deletedBelow, start - 1) : ""));
    return known.startingAt(start, deletedBelow);
  }

  private NavigableSet<Long> logs() throws IOException {
    NavigableSet<Long> baseOffsets = new TreeSet<>();
    for (String name : disk.list(folder)) {
      SegmentFiles.baseOffset(name, SegmentFiles.LOG).ifPresent(baseOffsets::add);
    }
    return baseOffsets;
  }

  private List<EpochEntry> epochs() throws IOException {
    try {
      return new LeaderEpochCheckpoint(disk, folder).read();
    } catch (MalformedFileException toldWhenTheLogIsOpened) {
      return List.of();
    }
  }

  /** Compaction took the records of an epoch that was lost with its file: both hide nothing. */
  private boolean liesBeforeAllRecords(long said, long witnessed, NavigableSet<Long> logs)
      throws IOException {
    return said < witnessed
        && firstBatch(logs).filter(batch -> batch.baseOffset() >= witnessed).isPresent();
  }

  /** Whether the epochs tell of the first records too, and not only of what a later Kafka wrote. */
  private boolean areOf(NavigableSet<Long> logs, EpochEntry first) throws IOException {
    return firstBatch(logs)
        .filter(batch -> batch.magic() == RecordBatch.MAGIC)
        .filter(batch -> batch.leaderEpoch() >= 0 && batch.leaderEpoch() <= first.epoch())
        .isPresent();
  }

  /** Compaction may have left the first logs empty. */
  private Optional<RecordBatch> firstBatch(NavigableSet<Long> logs) throws IOException {
    for (long baseOffset : logs) {
      Optional<RecordBatch> first = firstBatchOf(baseOffset);
      if (first.isPresent()) {
        return first;
      }
    }
    return Optional.empty();
  }

  private Optional<RecordBatch> firstBatchOf(long baseOffset) throws IOException {
    Path log = SegmentFiles.path(folder, baseOffset, SegmentFiles.LOG);
    ByteBuffer header = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);
    try (DiskFile file = disk.openReadOnly(log)) {
      if (file.read(header, 0) < RecordBatch.HEADER_BYTES) {
        return Optional.empty();
      }
    }
    return Optional.of(RecordBatch.at(header, 0));
  }
}
