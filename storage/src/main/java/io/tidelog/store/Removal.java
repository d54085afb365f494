package io.tidelog.store;

import io.tidelog.checkpoint.PartitionFolder;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.PartitionLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Takes partitions out of service: at once for their users, and their folders get another name.
 * Needs no room on the disk but what a file system takes for a name.
 */
final class Removal {
  private static final long RETRY_MS = 10_000;

  private final Surroundings around;
  private final Map<TopicPartition, PartitionLog> served;
  private final List<DataDirectory> directories;
  private final Function<DataDirectory, Collection<PartitionLog>> logsIn;

  /**
   * @param served the logs in service
   * @param logsIn those that lie in a directory
   */
  Removal(
      Surroundings around,
      Map<TopicPartition, PartitionLog> served,
      List<DataDirectory> directories,
      Function<DataDirectory, Collection<PartitionLog>> logsIn) {
    this.around = around;
    this.served = served;
    this.directories = directories;
    this.logsIn = logsIn;
  }

  /**
   * Deletes partitions. Their files go after file.delete.delay.ms.
   *
   * @throws IOException if a folder could not be renamed: then that is tried again, and all of them
   *     are out of service nevertheless
   */
  void delete(Collection<PartitionLog> deleted) throws IOException {
    for (PartitionLog log : deleted) {
      takeOut(log);
    }
    IOException failure = null;
    for (PartitionLog log : deleted) {
      try {
        rename(log);
      } catch (IOException e) {
        around.scheduler().after(RETRY_MS, () -> renameLater(log));
        failure = e;
      }
    }
    settle(deleted);
    if (failure != null) {
      throw failure;
    }
  }

  /** Keeps a partition's files under a name that ends with "-stray". @return that name */
  Path setAside(PartitionLog log) throws IOException {
    takeOut(log);
    Path aside = DeletedFolder.setAside(around, log, PartitionFolder.State.STRAY);
    settle(List.of(log));
    return aside;
  }

  private void takeOut(PartitionLog log) throws IOException {
    served.remove(log.topicPartition());
    log.abandon();
    directories.forEach(directory -> directory.expectNoMore(log));
  }

  private void rename(PartitionLog log) throws IOException {
    Path aside = DeletedFolder.setAside(around, log, PartitionFolder.State.DELETED);
    around
        .scheduler()
        .after(
            log.settings().fileDeleteDelayMs(), () -> DeletedFolder.removeQuietly(around, aside));
  }

  private void renameLater(PartitionLog log) {
    try {
      rename(log);
    } catch (IOException e) {
      around.scheduler().after(RETRY_MS, () -> renameLater(log));
    }
  }

  /** Makes the new names durable, and has the checkpoints no longer name the partitions. */
  private void settle(Collection<PartitionLog> gone) throws IOException {
    Set<DataDirectory> changed = new LinkedHashSet<>();
    for (PartitionLog log : gone) {
      directories.stream().filter(directory -> directory.holds(log)).forEach(changed::add);
    }
    for (DataDirectory directory : changed) {
      around.disk().syncDirectory(directory.path());
      directory.forget(logsIn.apply(directory));
    }
  }
}
