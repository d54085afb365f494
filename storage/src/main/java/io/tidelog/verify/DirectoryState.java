package io.tidelog.verify;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.OffsetCheckpoint.Kind;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskLockedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the side files of a data directory say of its partitions.
 *
 * @param stop how it was left
 * @param offsets the checkpoints that could be read
 */
record DirectoryState(Stop stop, Map<Kind, Map<TopicPartition, Long>> offsets) {
  private static final DirectoryState UNKNOWN = new DirectoryState(Stop.UNKNOWN, Map.of());
  private static final String LOCK = ".lock";

  /** Whether a directory has a file that only data directories have. */
  static boolean isDataDirectory(Disk disk, Path directory) {
    if (disk.exists(directory.resolve(MetaProperties.FILE_NAME))
        || disk.exists(directory.resolve(CleanShutdownMarker.FILE_NAME))) {
      return true;
    }
    for (Kind kind : Kind.values()) {
      if (disk.exists(directory.resolve(kind.fileName()))) {
        return true;
      }
    }
    return false;
  }

  /** Reads them as far as they can be read. */
  static DirectoryState read(Disk disk, Path directory) {
    Map<Kind, Map<TopicPartition, Long>> offsets = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      try {
        offsets.put(kind, new OffsetCheckpoint(disk, directory, kind).read());
      } catch (IOException toldByDirectoryCheck) {
        // A check of the directory tells it; what it says is not known.
      }
    }
    return new DirectoryState(stop(disk, directory), offsets);
  }

  /** Of the directory that a partition's folder lies in. */
  static DirectoryState around(Disk disk, Path folder) {
    Path directory = folder.toAbsolutePath().normalize().getParent();
    return directory != null && isDataDirectory(disk, directory) ? read(disk, directory) : UNKNOWN;
  }

  private static Stop stop(Disk disk, Path directory) {
    if (isLocked(disk, directory.resolve(LOCK))) {
      return Stop.RUNNING;
    }
    return new CleanShutdownMarker(disk, directory).exists() ? Stop.CLEAN : Stop.CRASHED;
  }

  private static boolean isLocked(Disk disk, Path lock) {
    if (!disk.exists(lock)) {
      return false;
    }
    try {
      disk.lock(lock).close();
      return false;
    } catch (DiskLockedException used) {
      return true;
    } catch (IOException notOurs) {
      return false;
    }
  }

  /** What a checkpoint says of a partition; empty if it has no line, or cannot be read. */
  Optional<Long> offset(Kind kind, TopicPartition partition) {
    return Optional.ofNullable(offsets.getOrDefault(kind, Map.of()).get(partition));
  }

  /** Whether a checkpoint could be read. */
  boolean has(Kind kind) {
    return offsets.containsKey(kind);
  }

  /**
   * Whether a segment that ends at an offset is read again at the next start, so that its caches
   * are made anew.
   */
  boolean isReadAgain(TopicPartition partition, long end) {
    return stop == Stop.CRASHED && end > offset(Kind.RECOVERY_POINT, partition).orElse(0L);
  }

  /** Whether something in a log at or after an offset may be the work of a crash. */
  boolean mayBeTornAt(TopicPartition partition, long offset) {
    return stop == Stop.CRASHED && offset >= offset(Kind.RECOVERY_POINT, partition).orElse(0L);
  }
}
