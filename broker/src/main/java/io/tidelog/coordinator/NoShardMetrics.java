package io.tidelog.coordinator;

import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetrics;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetricsShard;
import org.apache.kafka.timeline.SnapshotRegistry;

/** The runtime of coordinators wants a place to count what a shard holds; nobody reads it here. */
final class NoShardMetrics extends CoordinatorMetrics {

  @Override
  public CoordinatorMetricsShard newMetricsShard(SnapshotRegistry snapshots, TopicPartition name) {
    throw new UnsupportedOperationException("our shards count nothing");
  }

  @Override
  public void activateMetricsShard(CoordinatorMetricsShard shard) {}

  @Override
  public void deactivateMetricsShard(CoordinatorMetricsShard shard) {}

  @Override
  public void onUpdateLastCommittedOffset(TopicPartition partition, long offset) {}
}
