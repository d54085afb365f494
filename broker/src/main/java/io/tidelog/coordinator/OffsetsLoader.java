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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the groups of a partition back from its log when this broker comes to lead it: one
 * partition after the other, on the executor. Gives up soon after the partition is led no more or
 * the loader is closed.
 */
final class OffsetsLoader implements CoordinatorLoader<CoordinatorRecord> {
  private static final Logger LOG = LoggerFactory.getLogger(OffsetsLoader.class);

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
    Led target = found.get();
    BooleanSupplier wanted = () -> !closed && led.find(partition).equals(found);
    long askedMs = time.milliseconds();
    OffsetsReplay replay = new OffsetsReplay(target.partition().log(), playback, bufferBytes);
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
          "The groups of {} could not be loaded and are not served: {}",
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
