package io.tidelog.store;

import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.disk.Disk;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.recovery.KnownState;
import io.tidelog.recovery.LogOpener;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Partitions that are created together, durably: all of them or none. Their waits for the disk
 * overlap, and a data directory is synced once for all of its new folders.
 */
final class NewPartitions {
  private final Disk disk;
  private final LogSurroundings surroundings;
  private final Queue<PartitionLog> made = new ConcurrentLinkedQueue<>();

  NewPartitions(Disk disk, LogSurroundings surroundings) {
    this.disk = disk;
    this.surroundings = surroundings;
  }

  /**
   * Creates each in its data directory.
   *
   * @throws FileAlreadyExistsException if there is something of one's name
   * @throws IOException if one cannot be created; what was made is removed as far as that goes
   */
  Collection<PartitionLog> create(Map<NewPartition, Path> places, int threads) throws IOException {
    try {
      try (ParallelWork work = ParallelWork.start(threads)) {
        for (Map.Entry<NewPartition, Path> place : places.entrySet()) {
          work.add(() -> made.add(create(place.getKey(), place.getValue())));
        }
      }
      for (Path dataDirectory : new LinkedHashSet<>(places.values())) {
        disk.syncDirectory(dataDirectory);
      }
      return made;
    } catch (IOException e) {
      for (PartitionLog log : made) {
        log.abandon();
        remove(log.directory(), e);
      }
      throw e;
    }
  }

  private PartitionLog create(NewPartition wanted, Path dataDirectory) throws IOException {
    Path folder = dataDirectory.resolve(wanted.partition().folderName());
    if (disk.exists(folder)) {
      throw new FileAlreadyExistsException(folder.toString());
    }
    try {
      disk.createDirectories(folder);
      PartitionLog log =
          LogOpener.open(
              new PartitionLog.Identity(wanted.partition(), wanted.topicId(), folder),
              surroundings,
              wanted.settings(),
              KnownState.NEW);
      writeId(log);
      return log;
    } catch (IOException e) {
      remove(folder, e);
      throw e;
    }
  }

  /** This syncs the folder, and so the names of the log's files too. */
  private void writeId(PartitionLog log) throws IOException {
    try {
      new PartitionMetadata(disk, log.directory()).write(log.topicId());
    } catch (IOException e) {
      log.abandon();
      throw e;
    }
  }

  private void remove(Path folder, IOException cause) {
    try {
      if (disk.exists(folder)) {
        DeletedFolder.remove(disk, folder);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
