package io.tidelog.topic;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.BatchWalk;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder of the metadata log, {@code __cluster_metadata-0}, read without changing anything: its
 * newest snapshot, and the segments of the log.
 *
 * @param disk the disk
 * @param path the folder
 */
record MetadataFolder(Disk disk, Path path) {

  /** All finished snapshots, the newest last. */
  List<SnapshotName> snapshots() throws IOException {
    return disk.list(path).stream()
        .flatMap(name -> SnapshotName.parse(name).stream())
        .sorted()
        .toList();
  }

  /** Whether there is a log, be it an empty one; a folder that was only formatted has none. */
  boolean hasLog() throws IOException {
    return disk.list(path).stream()
        .anyMatch(name -> SegmentFiles.baseOffset(name, SegmentFiles.LOG).isPresent());
  }

  /** Files of snapshots that were never finished. */
  List<Path> unfinishedSnapshots() throws IOException {
    return disk.list(path).stream().filter(SnapshotName::isUnfinished).map(path::resolve).toList();
  }

  /**
   * Adds up what is there: the newest snapshot and the log after it. The log ends at the first
   * thing in its last segment that is not a sound batch, as a crash may leave it; the replay tells.
   *
   * @throws RefusedDirectoryException if something is missing, damaged or not understood
   */
  MetadataReplay read() throws IOException {
    MetadataReplay replay = new MetadataReplay();
    List<SnapshotName> snapshots = snapshots();
    if (!snapshots.isEmpty()) {
      readSnapshot(snapshots.get(snapshots.size() - 1), replay);
    }
    readLog(replay);
    return replay;
  }

  private void readSnapshot(SnapshotName name, MetadataReplay replay) throws IOException {
    Path file = path.resolve(name.fileName());
    try (DiskFile snapshot = disk.openReadOnly(file)) {
      BatchWalk walk = BatchWalk.scan(snapshot, 0, size(file));
      boolean isComplete = false;
      while (walk.next()) {
        RecordBatch batch = walk.soundBatch();
        understand(file, batch, () -> replay.addOf(name, batch));
        isComplete = batch.isControl() && batch.baseOffset() > 0;
      }
      if (!isComplete) {
        throw new RefusedDirectoryException(
            file + " has no end: expected a footer in its last batch. " + restore());
      }
    } catch (CorruptLogException damage) {
      throw new RefusedDirectoryException(damage.getMessage() + ". " + restore(), damage);
    }
  }

  private void readLog(MetadataReplay replay) throws IOException {
    List<Long> bases = segmentsFrom(replay.end());
    if (bases.isEmpty()) {
      return;
    }
    if (bases.get(0) > replay.end()) {
      throw new RefusedDirectoryException(
          "%s begins at offset %d, expected %s. %s"
              .formatted(
                  path,
                  bases.get(0),
                  replay
                      .snapshot()
                      .map(
                          name ->
                              "the offset that its newest snapshot ends with, " + name.endOffset())
                      .orElse("a snapshot that ends there"),
                  restore()));
    }
    long logEnd = bases.get(0);
    for (int i = 0; i < bases.size(); i++) {
      Path file = SegmentFiles.path(path, bases.get(i), SegmentFiles.LOG);
      try {
        logEnd = readSegment(file, bases.get(i), replay);
      } catch (CorruptLogException damage) {
        if (i + 1 < bases.size()) {
          throw new RefusedDirectoryException(damage.getMessage() + ". " + restore(), damage);
        }
        replay.endsWith(damage);
        return;
      }
    }
    if (logEnd < replay.end()) {
      throw new RefusedDirectoryException(
          "%s ends at offset %d, expected %d or more, where its newest snapshot ends. %s"
              .formatted(path, logEnd, replay.end(), restore()));
    }
  }

  /** The base offsets of the segments that hold this offset or later ones; of all if none does. */
  private List<Long> segmentsFrom(long offset) throws IOException {
    List<Long> bases = new ArrayList<>();
    for (String name : disk.list(path)) {
      SegmentFiles.baseOffset(name, SegmentFiles.LOG).ifPresent(bases::add);
    }
    while (bases.size() > 1 && bases.get(1) <= offset) {
      bases.remove(0);
    }
    return bases;
  }

  /** Adds what is not in the replay yet. @return the offset after the last batch */
  private long readSegment(Path file, long baseOffset, MetadataReplay replay) throws IOException {
    long end = baseOffset;
    try (DiskFile log = disk.openReadOnly(file)) {
      BatchWalk walk = BatchWalk.scan(log, 0, size(file));
      while (walk.next()) {
        end = walk.batch().nextOffset();
        if (end > replay.end()) {
          add(file, walk, replay);
        }
      }
    }
    return end;
  }

  private static void add(Path file, BatchWalk walk, MetadataReplay replay) throws IOException {
    RecordBatch batch = walk.soundBatch();
    if (batch.baseOffset() != replay.end()) {
      throw new RefusedDirectoryException(
          "%s at byte %d: found offset %d, expected %d. %s"
              .formatted(file, walk.position(), batch.baseOffset(), replay.end(), restore()));
    }
    understand(file, batch, () -> replay.add(batch));
  }

  private static void understand(Path file, RecordBatch batch, Runnable adding)
      throws RefusedDirectoryException {
    try {
      adding.run();
    } catch (RuntimeException e) {
      throw new RefusedDirectoryException(
          "%s: the batch at offset %d is not metadata that this version understands: %s. Start the version that wrote it, or restore the folder."
              .formatted(file, batch.baseOffset(), innermost(e).getMessage()),
          e);
    }
  }

  /** Kafka wraps the sentence that tells something. */
  private static Throwable innermost(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private int size(Path file) throws IOException {
    long bytes = disk.sizeBytes(file);
    if (bytes > Integer.MAX_VALUE) {
      throw new RefusedDirectoryException(
          file
              + " has "
              + bytes
              + " bytes, expected at most "
              + Integer.MAX_VALUE
              + ". "
              + restore());
    }
    return (int) bytes;
  }

  private static String restore() {
    return "Restore the folder; without it nobody can tell which topics there are.";
  }
}
