package io.tidelog.store;

import io.tidelog.checkpoint.PartitionMetadata;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.recovery.KnownState;
import io.tidelog.recovery.LogOpener;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * Creates the folders of new partitions of one topic, durably. Several threads may do so at once.
 *
 * @param topicId the topic's id, which goes into each folder
 * @param settings of each log
 */
record NewPartitions(
    Disk disk, LogSurroundings surroundings, TopicId topicId, LogSettings settings) {

  /**
   * Creates one.
   *
   * @throws FileAlreadyExistsException if there is something of its name
   * @throws IOException if it cannot be created; what was made of it is removed as far as that goes
   */
  PartitionLog create(Path dataDirectory, TopicPartition partition) throws IOException {
    Path folder = dataDirectory.resolve(partition.folderName());
    if (disk.exists(folder)) {
      throw new FileAlreadyExistsException(folder.toString());
    }
    try {
      disk.createDirectories(folder);
      PartitionLog log =
          LogOpener.open(
              new PartitionLog.Identity(partition, topicId, folder),
              surroundings,
              settings,
              KnownState.NEW);
      makeDurable(dataDirectory, log);
      return log;
    } catch (IOException e) {
      takeBack(folder, e);
      throw e;
    }
  }

  /** Writing the id syncs the folder, and so the names of the log's files too. */
  private void makeDurable(Path dataDirectory, PartitionLog log) throws IOException {
    try {
      new PartitionMetadata(disk, log.directory()).write(topicId);
      disk.syncDirectory(dataDirectory);
    } catch (IOException e) {
      log.abandon();
      throw e;
    }
  }

  private void takeBack(Path folder, IOException cause) {
    try {
      if (disk.exists(folder)) {
        DeletedFolder.remove(disk, folder);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
