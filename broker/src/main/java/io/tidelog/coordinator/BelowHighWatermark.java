package io.tidelog.coordinator;

import io.tidelog.log.LogListener;
import io.tidelog.log.PartitionLog;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.KafkaStorageException;

/** Waits until what was written at an offset counts. */
final class BelowHighWatermark implements LogListener {
  private final long offset;
  private final CompletableFuture<Void> reached = new CompletableFuture<>();

  private BelowHighWatermark(long offset) {
    this.offset = offset;
  }

  /**
   * Done when the high watermark has passed the offset; fails with KafkaStorageException if the log
   * is closed before that.
   */
  static CompletableFuture<Void> of(PartitionLog log, long offset) {
    if (log.view().highWatermark() > offset) {
      return CompletableFuture.completedFuture(null);
    }
    BelowHighWatermark wait = new BelowHighWatermark(offset);
    log.addListener(wait);
    wait.moved(log);
    return wait.reached.whenComplete((done, failure) -> log.removeListener(wait));
  }

  @Override
  public void moved(PartitionLog log) {
    if (log.view().highWatermark() > offset) {
      reached.complete(null);
    } else if (log.isClosed()) {
      reached.completeExceptionally(
          new KafkaStorageException(log.topicPartition() + " was closed before it was durable"));
    }
  }
}
