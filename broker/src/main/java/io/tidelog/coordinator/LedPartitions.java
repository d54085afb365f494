package io.tidelog.coordinator;

import io.tidelog.topic.Partition;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;

/** The partitions of {@code __consumer_offsets} that this broker leads now. Any thread. */
final class LedPartitions {

  /**
   * @param settled done when the coordinator serves the groups of the partition, or cannot
   */
  record Led(Partition partition, CompletableFuture<Void> settled) {}

  private final Map<Integer, Led> byIndex = new ConcurrentHashMap<>();

  Led add(Partition partition) {
    Led led = new Led(partition, new CompletableFuture<>());
    byIndex.put(partition.index(), led);
    return led;
  }

  void remove(int index) {
    byIndex.remove(index);
  }

  /** Done when all partitions led at this moment are settled. */
  CompletableFuture<Void> allSettled() {
    return CompletableFuture.allOf(
        byIndex.values().stream().map(Led::settled).toArray(CompletableFuture<?>[]::new));
  }

  Optional<Led> find(TopicPartition partition) {
    return Optional.ofNullable(byIndex.get(partition.partition()));
  }

  /**
   * As {@link #find}.
   *
   * @throws NotLeaderOrFollowerException if this broker does not lead it
   */
  Partition require(TopicPartition partition) {
    return find(partition)
        .map(Led::partition)
        .orElseThrow(() -> new NotLeaderOrFollowerException("not the leader of " + partition));
  }
}
