package io.tidelog.coordinator;

import io.tidelog.topic.Partition;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;

/** The partitions of a coordinator's topic that this broker leads now. Any thread. */
final class LedPartitions {
  /** How long the first requests wait for the logs to be loaded before they are answered. */
  private static final long LOAD_PATIENCE_MS = 1_000;

  /**
   * @param settled done when the coordinator serves what the partition holds, or cannot
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

  /**
   * Done when all partitions led at this moment are settled, or when it takes so long that clients
   * should know.
   */
  CompletableFuture<Void> settled(Timer timer) {
    CompletableFuture<Void> patience = new CompletableFuture<>();
    timer.add(
        new TimerTask(LOAD_PATIENCE_MS) {
          @Override
          public void run() {
            patience.complete(null);
          }
        });
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            byIndex.values().stream().map(Led::settled).toArray(CompletableFuture<?>[]::new));
    return CompletableFuture.anyOf(all, patience).thenApply(done -> null);
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
