package io.tidelog.store;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.Commitment;
import io.tidelog.log.Durability;
import io.tidelog.log.GroupSync;
import io.tidelog.log.LogHost;
import io.tidelog.log.NoRoomException;
import io.tidelog.log.PartitionLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/** What logs ask of the store. */
final class StoreHost implements LogHost {
  private final Surroundings around;
  private final Placing placing;
  private final DiskSpace space;
  private final Map<TopicPartition, PartitionLog> served;
  private final CleanOffsets cleanOffsets;
  private final GroupSync groupSync;

  /**
   * @param served the logs in service; the store changes it
   * @param cleanOffsets up to where they have been compacted
   */
  StoreHost(
      Surroundings around,
      Placing placing,
      DiskSpace space,
      Map<TopicPartition, PartitionLog> served,
      CleanOffsets cleanOffsets) {
    this.around = around;
    this.placing = placing;
    this.space = space;
    this.served = served;
    this.cleanOffsets = cleanOffsets;
    this.groupSync = new GroupSync(around.scheduler()::execute);
  }

  private Collection<PartitionLog> logsIn(DataDirectory directory) {
    return served.values().stream().filter(directory::holds).toList();
  }

  @Override
  public void saveStart(PartitionLog log) throws IOException {
    if (served.get(log.topicPartition()) == log) {
      DataDirectory directory = placing.of(log);
      directory.saveStarts(logsIn(directory));
    }
  }

  @Override
  public void saveRecoveryPoint(PartitionLog log) throws IOException {
    if (served.get(log.topicPartition()) == log) {
      DataDirectory directory = placing.of(log);
      directory.saveRecoveryPoints(logsIn(directory));
    }
  }

  @Override
  public void takeRoom(Path folder, int batchBytes) throws NoRoomException {
    space.take(folder.getParent(), batchBytes);
  }

  @Override
  public void cutting(PartitionLog log, long end) throws IOException {
    if (served.get(log.topicPartition()) == log) {
      cleanOffsets.cut(log, end);
    }
  }

  @Override
  public void later(long delayMs, Runnable work) {
    around.scheduler().after(delayMs, work);
  }

  @Override
  public void repaired(String sentence) {
    around.events().happened(StoreEvents.Kind.REPAIRED, sentence);
  }

  @Override
  public void noticed(String sentence) {
    around.events().happened(StoreEvents.Kind.FAILED, sentence);
  }

  @Override
  public Commitment commitment(Durability durability) {
    return switch (durability) {
      case PAGE_CACHE -> Commitment.AT_ONCE;
      case FSYNC -> groupSync;
    };
  }
}
