package io.tidelog.coordinator;

import io.tidelog.coordinator.LedPartitions.Led;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader;
import org.apache.kafka.coordinator.common.runtime.CoordinatorPlayback;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;

/**
 * Reads the groups of a partition back from its log when this broker comes to lead it: one
 * partition after the other, on the executor. Gives up soon after the partition is led no more or
 * the loader is closed.
 */
final class OffsetsLoader implements CoordinatorLoader<CoordinatorRecord> {
  private final LedPartitions led;
  private final Executor executor;
  private final Time time;
  private final int bufferBytes;
  private volatile boolean closed;

  /**
   * @param bufferBytes how much of a log to read at a time; one batch may take more
   */
  OffsetsLoader(LedPartitions led, Executor executor, Time time, int bufferBytes) {
    this.led = led;
    this.executor = executor;
    this.time = time;
    this.bufferBytes = bufferBytes;
  }

  @Override
  public CompletableFuture<LoadSummary> load(
      TopicPartition partition, CoordinatorPlayback<CoordinatorRecord> playback) {
    CompletableFuture<LoadSummary> result = new CompletableFuture<>();
    Optional<Led> found = led.find(partition);
    if (found.isEmpty()) {
      result.completeExceptionally(notLed(partition));
      return result;
    }
    long askedMs = time.milliseconds();
    executor.execute(
        () -> {
          try {
            result.complete(load(found.get(), playback, askedMs));
          } catch (Throwable e) {
            result.completeExceptionally(e);
            found.get().settled().complete(null);
          }
        });
    return result;
  }

  private LoadSummary load(
      Led target, CoordinatorPlayback<CoordinatorRecord> playback, long askedMs) throws Exception {
    long startMs = time.milliseconds();
    TopicPartition partition = kafkaName(target);
    BooleanSupplier wanted =
        () -> !closed && led.find(partition).filter(target::equals).isPresent();
    OffsetsReplay replay = new OffsetsReplay(target.partition().log(), playback, bufferBytes);
    if (!replay.run(wanted)) {
      throw notLed(partition);
    }
    return new LoadSummary(
        startMs, time.milliseconds(), startMs - askedMs, replay.records(), replay.sizeBytes());
  }

  private static TopicPartition kafkaName(Led target) {
    return new TopicPartition(
        target.partition().log().topicPartition().topic(), target.partition().index());
  }

  private static NotLeaderOrFollowerException notLed(TopicPartition partition) {
    return new NotLeaderOrFollowerException(
        "gave up loading " + partition + ", this broker does not lead it any more");
  }

  @Override
  public void close() {
    closed = true;
  }
}
