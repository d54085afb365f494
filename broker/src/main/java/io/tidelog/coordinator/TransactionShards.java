package io.tidelog.coordinator;

import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.coordinator.common.runtime.CoordinatorExecutor;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetrics;
import org.apache.kafka.coordinator.common.runtime.CoordinatorShardBuilder;
import org.apache.kafka.coordinator.common.runtime.CoordinatorTimer;
import org.apache.kafka.timeline.SnapshotRegistry;

/** Makes the shards; of what it is offered they need where to keep their snapshots. */
final class TransactionShards
    implements CoordinatorShardBuilder<TransactionShard, TransactionRecord> {
  private final Consumer<TopicPartition> whenLoaded;
  private SnapshotRegistry snapshots;
  private TopicPartition partition;

  /**
   * @param whenLoaded told of each partition whose transactions are loaded
   */
  TransactionShards(Consumer<TopicPartition> whenLoaded) {
    this.whenLoaded = whenLoaded;
  }

  @Override
  public TransactionShards withSnapshotRegistry(SnapshotRegistry registry) {
    snapshots = registry;
    return this;
  }

  @Override
  public TransactionShards withTopicPartition(TopicPartition name) {
    partition = name;
    return this;
  }

  @Override
  public TransactionShards withLogContext(LogContext context) {
    return this;
  }

  @Override
  public TransactionShards withTime(Time time) {
    return this;
  }

  @Override
  public TransactionShards withTimer(CoordinatorTimer<TransactionRecord> timer) {
    return this;
  }

  @Override
  public TransactionShards withExecutor(CoordinatorExecutor<TransactionRecord> executor) {
    return this;
  }

  @Override
  public TransactionShards withCoordinatorMetrics(CoordinatorMetrics metrics) {
    return this;
  }

  @Override
  public TransactionShard build() {
    TopicPartition loaded = partition;
    return new TransactionShard(snapshots, () -> whenLoaded.accept(loaded));
  }
}
