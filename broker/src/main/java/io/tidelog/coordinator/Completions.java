package io.tidelog.coordinator;

import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what was decided about transactions: every partition gets its marker, then the
 * transaction is complete. What cannot be written yet is tried again, until it can, the partition
 * is deleted, or the coordinator ends; the next one finds the transaction as it was decided. Any
 * thread.
 */
final class Completions {
  private static final Logger LOG = LoggerFactory.getLogger(Completions.class);
  private static final long FIRST_BACKOFF_MS = 50;
  private static final long LONGEST_BACKOFF_MS = 1_000;

  private final MarkerWriter markers;
  private final Timer timer;
  private final ToIntFunction<String> coordinatorEpoch;
  private final Function<TransactionMetadata, CompletableFuture<?>> complete;
  private final Map<String, Completion> underWay = new ConcurrentHashMap<>();

  /**
   * @param coordinatorEpoch the epoch in which this broker coordinates a transactional id
   * @param complete writes down that a transaction is complete
   */
  Completions(
      MarkerWriter markers,
      Timer timer,
      ToIntFunction<String> coordinatorEpoch,
      Function<TransactionMetadata, CompletableFuture<?>> complete) {
    this.markers = markers;
    this.timer = timer;
    this.coordinatorEpoch = coordinatorEpoch;
    this.complete = complete;
  }

  /**
   * Begins to carry out a decision; no effect if that is under way.
   *
   * @param ending a committed state that says how the transaction ends
   */
  void begin(TransactionMetadata ending) {
    Completion completion = new Completion(ending);
    if (underWay.putIfAbsent(ending.transactionalId(), completion) == null) {
      completion.write();
    }
  }

  private EndTransactionMarker markerFor(TransactionMetadata ending) {
    return new EndTransactionMarker(
        ending.producerId(),
        ending.producerEpoch(),
        coordinatorEpoch.applyAsInt(ending.transactionalId()),
        ending.state() == TransactionState.PREPARE_COMMIT ? Outcome.COMMIT : Outcome.ABORT,
        TransactionProtocol.ofLevel(ending.clientTransactionVersion().featureLevel()));
  }

  /** One transaction on its way. Its steps follow each other. */
  private final class Completion {
    private final TransactionMetadata ending;
    private final EndTransactionMarker marker;
    private final Set<TopicPartition> left = ConcurrentHashMap.newKeySet();
    private long backoffMs = FIRST_BACKOFF_MS;
    private volatile boolean isRefused;

    Completion(TransactionMetadata ending) {
      this.ending = ending;
      this.marker = markerFor(ending);
      left.addAll(ending.topicPartitions());
    }

    void write() {
      CompletableFuture<?>[] writes =
          left.stream()
              .map(
                  partition ->
                      markers
                          .write(partition, marker)
                          .handle((done, failure) -> note(partition, failure)))
              .toArray(CompletableFuture<?>[]::new);
      CompletableFuture<?> unused = CompletableFuture.allOf(writes).thenRun(this::goOn);
    }

    private Void note(TopicPartition partition, Throwable failure) {
      Errors error =
          failure == null ? Errors.NONE : Errors.forException(TransactionErrors.cause(failure));
      switch (error) {
        case NONE, UNKNOWN_TOPIC_OR_PARTITION -> left.remove(partition);
        case INVALID_PRODUCER_EPOCH, TRANSACTION_COORDINATOR_FENCED -> {
          isRefused = true;
          LOG.warn(
              "{} will not be completed before the next start, since {} refuses its marker: {}",
              this,
              partition,
              TransactionErrors.cause(failure).getMessage());
        }
        default -> {
          if (backoffMs == FIRST_BACKOFF_MS) {
            LOG.info(
                "{} waits until {} takes its marker: {}",
                this,
                partition,
                TransactionErrors.cause(failure).getMessage());
          }
        }
      }
      return null;
    }

    private void goOn() {
      if (isRefused) {
        return;
      }
      if (left.isEmpty()) {
        finish();
      } else {
        again(this::write);
      }
    }

    private void finish() {
      CompletableFuture<?> unused =
          complete
              .apply(ending)
              .whenComplete(
                  (done, failure) -> {
                    if (failure == null || isOver(failure)) {
                      underWay.remove(ending.transactionalId(), this);
                    } else {
                      again(this::finish);
                    }
                  });
    }

    /** Whether somebody else coordinates this transaction now, or nobody. */
    private boolean isOver(Throwable failure) {
      Errors error = Errors.forException(TransactionErrors.cause(failure));
      return error == Errors.NOT_COORDINATOR || error == Errors.COORDINATOR_LOAD_IN_PROGRESS;
    }

    private void again(Runnable step) {
      timer.add(
          new TimerTask(backoffMs) {
            @Override
            public void run() {
              step.run();
            }
          });
      backoffMs = Math.min(LONGEST_BACKOFF_MS, 2 * backoffMs);
    }

    @Override
    public String toString() {
      return "The "
          + (marker.outcome() == Outcome.COMMIT ? "commit" : "abort")
          + " of transaction \""
          + ending.transactionalId()
          + "\"";
    }
  }
}
