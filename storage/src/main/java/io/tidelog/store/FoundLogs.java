package io.tidelog.store;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.NotAFileException;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.recovery.KnownState;
import io.tidelog.recovery.LogOpener;
import io.tidelog.recovery.StartWitness;
import io.tidelog.recovery.UntrustedStartException;
import io.tidelog.segment.CorruptLogException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Opens the logs that lie in a store's data directories. */
final class FoundLogs {
  private final StoreSettings settings;
  private final Surroundings around;
  private final LogSurroundings logSurroundings;
  private final Map<TopicPartition, PartitionLog> logs;

  /**
   * @param logs where the opened ones go
   */
  FoundLogs(
      StoreSettings settings,
      Surroundings around,
      LogSurroundings logSurroundings,
      Map<TopicPartition, PartitionLog> logs) {
    this.settings = settings;
    this.around = around;
    this.logSurroundings = logSurroundings;
    this.logs = logs;
  }

  /** Opens all; if one cannot be opened, others may have been. */
  void open(List<DataDirectory> directories) throws IOException {
    InterruptedMoves.settle(around, directories);
    for (DataDirectory directory : directories) {
      try (ParallelWork work = ParallelWork.start(settings.recoveryThreads())) {
        for (String name : around.disk().list(directory.path())) {
          Optional<PartitionFolder> folder = PartitionFolder.parse(name);
          if (folder.isPresent()) {
            work.add(() -> openFolder(directory, name, folder.get()));
          }
        }
      }
    }
  }

  private void openFolder(DataDirectory directory, String name, PartitionFolder folder)
      throws IOException {
    Path path = directory.path().resolve(name);
    if (!around.disk().isDirectory(path)) {
      openFile(directory, path, folder);
      return;
    }
    directory.found(folder);
    switch (folder.state()) {
      case LIVE -> openLog(directory, path, folder.partition());
      case DELETED -> DeletedFolder.remove(around.disk(), path);
      case FUTURE, STRAY ->
          around
              .events()
              .happened(
                  StoreEvents.Kind.REPAIRED, path + " is not in service and was left as it is");
    }
  }

  /** A file is nobody's business, unless its name is that of a partition that should be here. */
  private void openFile(DataDirectory directory, Path path, PartitionFolder folder)
      throws IOException {
    TopicId expected = settings.topicIds().apply(folder.partition());
    if (folder.state() == PartitionFolder.State.LIVE && !expected.equals(TopicId.ZERO)) {
      directory.found(folder);
      add(unread(directory, folder.partition(), path, NotAFileException.file(path)));
    }
  }

  private void openLog(DataDirectory directory, Path path, TopicPartition partition)
      throws IOException {
    try {
      TopicId topicId = new FolderOwner(around, path).find(settings.topicIds().apply(partition));
      add(open(new PartitionLog.Identity(partition, topicId, path), directory.known(partition)));
    } catch (NotAFileException | CorruptLogException unusable) {
      add(unread(directory, partition, path, unusable));
    }
  }

  private PartitionLog unread(
      DataDirectory directory, TopicPartition partition, Path path, IOException why)
      throws IOException {
    PartitionLog.Identity identity =
        new PartitionLog.Identity(partition, settings.topicIds().apply(partition), path);
    LogSettings logSettings = settings.logSettings().apply(partition);
    tellNotServed(partition, why);
    return LogOpener.unread(
        identity, logSurroundings, logSettings, directory.known(partition), why);
  }

  private void tellNotServed(TopicPartition partition, IOException why) {
    around
        .events()
        .happened(StoreEvents.Kind.FAILED, partition + " is not served: " + why.getMessage());
  }

  private void add(PartitionLog log) throws IOException {
    PartitionLog other = logs.putIfAbsent(log.topicPartition(), log);
    if (other != null) {
      log.abandon();
      throw new FileAlreadyExistsException(
          log.directory().toString(),
          other.directory().toString(),
          "two data directories hold this partition; move one of the folders away");
    }
  }

  /** Where one partition cannot be opened the others go on; it says so whenever it is used. */
  private PartitionLog open(PartitionLog.Identity identity, KnownState known) throws IOException {
    LogSettings logSettings = settings.logSettings().apply(identity.topicPartition());
    StartWitness start =
        new StartWitness(around.disk(), identity.directory(), logSurroundings.host()::repaired);
    try {
      return LogOpener.open(identity, logSurroundings, logSettings, start.hear(known));
    } catch (UntrustedStartException e) {
      tellNotServed(identity.topicPartition(), e);
      return LogOpener.aside(identity, logSurroundings, logSettings, known, e);
    }
  }
}
