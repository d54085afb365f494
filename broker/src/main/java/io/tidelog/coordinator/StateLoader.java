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
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a partition coordinates back from its log when this broker comes to lead it: one
 * partition after the other, on the executor. Gives up soon after the partition is led no more or
 * the loader is closed.
 *
 * @param <U> a record as the coordinator takes it
 */
final class StateLoader<U> implements CoordinatorLoader<U> {
  private static final Logger LOG = LoggerFactory.getLogger(StateLoader.class);

  private final LedPartitions led;
  private final Executor executor;
  private final Time time;
  private final int bufferBytes;
  private final Deserializer<U> records;
  private volatile boolean closed;

  /**
   * @param bufferBytes how much of a log to read at a time; one batch may take more
   */
  StateLoader(
      LedPartitions led, Executor executor, Time time, int bufferBytes, Deserializer<U> records) {
    this.led = led;
    this.executor = executor;
    this.time = time;
    this.bufferBytes = bufferBytes;
    this.records = records;
  }

  @Override
  public CompletableFuture<LoadSummary> load(
      TopicPartition partition, CoordinatorPlayback<U> playback) {
    CompletableFuture<LoadSummary> result = new CompletableFuture<>();
    Optional<Led> found = led.find(partition);
    if (found.isEmpty()) {
      result.completeExceptionally(notLed(partition));
      return result;
    }
    Led target = found.get();
    BooleanSupplier wanted = () -> !closed && led.find(partition).equals(found);
    long askedMs = time.milliseconds();
    StateReplay<U> replay =
        new StateReplay<>(target.partition().log(), playback, records, bufferBytes);
    executor.execute(
        () -> {
          try {
            long startMs = time.milliseconds();
            if (!replay.run(wanted)) {
              throw notLed(partition);
            }
            result.complete(replay.summary(askedMs, startMs, time.milliseconds()));
          } catch (Throwable e) {
            giveUp(target, result, e);
          }
        });
    return result;
  }

  private static void giveUp(Led target, CompletableFuture<LoadSummary> result, Throwable cause) {
    if (!(cause instanceof NotLeaderOrFollowerException)) {
      LOG.error(
          "What {} holds could not be loaded and is not served: {}",
          target.partition().log().topicPartition(),
          cause.getMessage());
    }
    result.completeExceptionally(cause);
    target.settled().complete(null);
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
