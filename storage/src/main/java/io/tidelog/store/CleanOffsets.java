package io.tidelog.store;

import io.tidelog.checkpoint.MalformedFileException;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.PartitionLog;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Up to where each log has been compacted, kept in each data directory's {@code
 * cleaner-offset-checkpoint}. If that is lost, compaction begins again: nothing else depends on it.
 */
final class CleanOffsets {
  private final Surroundings around;
  private final List<DataDirectory> directories;
  private final Function<DataDirectory, Collection<PartitionLog>> logsIn;
  private final Map<TopicPartition, Long> offsets = new HashMap<>();
  private boolean hasForgotten;

  /**
   * @param logsIn the logs that lie in a directory
   */
  CleanOffsets(
      Surroundings around,
      List<DataDirectory> directories,
      Function<DataDirectory, Collection<PartitionLog>> logsIn) {
    this.around = around;
    this.directories = directories;
    this.logsIn = logsIn;
  }

  /**
   * Reads the checkpoints, once all logs are open. Those that lie past their log's end, as after
   * damage, tell nothing.
   */
  synchronized void read() throws IOException {
    for (DataDirectory directory : directories) {
      Map<TopicPartition, Long> found = read(directory);
      for (PartitionLog log : logsIn.apply(directory)) {
        Long offset = found.get(log.topicPartition());
        if (offset != null && offset <= log.view().end()) {
          offsets.put(log.topicPartition(), offset);
        }
      }
    }
  }

  private Map<TopicPartition, Long> read(DataDirectory directory) throws IOException {
    try {
      return file(directory).read();
    } catch (MalformedFileException e) {
      around
          .events()
          .happened(
              StoreEvents.Kind.REPAIRED,
              e.getMessage() + " Each log of this directory is compacted from its start again.");
      return Map.of();
    }
  }

  private OffsetCheckpoint file(DataDirectory directory) {
    return new OffsetCheckpoint(around.disk(), directory.path(), OffsetCheckpoint.Kind.CLEANER);
  }

  private boolean hasFile(DataDirectory directory) {
    return around.disk().exists(directory.path().resolve(OffsetCheckpoint.Kind.CLEANER.fileName()));
  }

  synchronized OptionalLong of(TopicPartition partition) {
    Long offset = offsets.get(partition);
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  /**
   * A log is about to be compacted from an offset on. Durable when it returns, so that whoever
   * finds offsets missing in it knows that compaction may have taken them, after a crash too.
   */
  synchronized void begin(PartitionLog log, long offset) throws IOException {
    if (offsets.putIfAbsent(log.topicPartition(), offset) == null) {
      save();
    }
  }

  /** A log has been compacted up to an offset. Durable when it returns. */
  synchronized void advance(PartitionLog log, long offset) throws IOException {
    Long before = offsets.put(log.topicPartition(), offset);
    if (before == null || before != offset) {
      save();
    }
  }

  /** A log is about to be cut: what is appended there has not been compacted. */
  synchronized void cut(PartitionLog log, long end) throws IOException {
    Long before = offsets.get(log.topicPartition());
    if (before != null && before > end) {
      offsets.put(log.topicPartition(), end);
      save();
    }
  }

  /**
   * Partitions that are gone: another one of the name begins anew. Durable after {@link
   * #saveForgotten}.
   */
  synchronized void forget(Collection<TopicPartition> partitions) {
    hasForgotten |= offsets.keySet().removeAll(partitions);
  }

  /** Has the files no longer name partitions that are forgotten. */
  synchronized void saveForgotten() throws IOException {
    if (hasForgotten) {
      save();
      hasForgotten = false;
    }
  }

  /** Writes all files, as after a move from one directory to another. */
  synchronized void save() throws IOException {
    for (DataDirectory directory : directories) {
      Map<TopicPartition, Long> here = new TreeMap<>();
      for (PartitionLog log : logsIn.apply(directory)) {
        Long offset = offsets.get(log.topicPartition());
        if (offset != null) {
          here.put(log.topicPartition(), offset);
        }
      }
      if (!here.isEmpty() || hasFile(directory)) {
        file(directory).write(here);
      }
    }
  }
}
