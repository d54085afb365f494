package io.tidelog.handler;

import io.tidelog.coordinator.JoinRule;
import io.tidelog.coordinator.ProducerClaim;
import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.EventLoop;
import io.tidelog.protocol.Request;
import io.tidelog.record.RecordBatch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceRequest;

/**
 * Batches of one request that begin a transaction in their partitions. They are written once the
 * coordinator has admitted the partitions to the transaction. A producer of transactions v2 may be
 * ahead of the markers of its transaction before: then the coordinator is asked again a few times.
 *
 * <p>Runs on the request's event loop, whose receive buffer it needs to the end.
 */
final class HeldAppends {
  private final Request request;
  private final Transactions transactions;
  private final List<PartitionAppend> held;
  private final JoinRule rule;
  private final ProducerClaim producer;
  private final long startNanos;
  private Runnable done;

  /**
   * @param held at least one, all of one producer
   */
  HeldAppends(Request request, Transactions transactions, List<PartitionAppend> held) {
    this.request = request;
    this.transactions = transactions;
    this.held = held;
    this.rule = JoinRule.ofProduce(request.version());
    RecordBatch batch = held.get(0).batch().header();
    this.producer =
        new ProducerClaim(
            request.body(ProduceRequest.class).transactionalId(),
            batch.producerId(),
            batch.producerEpoch());
    this.startNanos = request.loop().nanoTime();
  }

  /** Asks the coordinator; runs the action when all batches are written or refused. */
  void whenDone(Runnable action) {
    done = action;
    ask();
  }

  private void ask() {
    Set<TopicPartition> partitions =
        held.stream()
            .filter(PartitionAppend::isHeld)
            .map(PartitionAppend::name)
            .collect(Collectors.toSet());
    EventLoop loop = request.loop();
    CompletableFuture<?> unused =
        transactions
            .admit(producer, partitions, rule)
            .thenAccept(
                refused -> {
                  try {
                    loop.execute(() -> answered(refused));
                  } catch (RejectedExecutionException stopped) {
                    request.releaseBuffer();
                  }
                });
  }

  private void answered(Map<TopicPartition, Errors> refused) {
    boolean isAhead = refused.containsValue(Errors.CONCURRENT_TRANSACTIONS);
    if (isAhead && rule == JoinRule.ADD && isPatient()) {
      request.loop().schedule(this::askAgain, transactions.settings().joinBackoffMs());
      return;
    }
    for (PartitionAppend append : held) {
      if (append.isHeld()) {
        append.goOn(refused.getOrDefault(append.name(), Errors.NONE));
      }
    }
    done.run();
  }

  private boolean isPatient() {
    long waitedNanos = request.loop().nanoTime() - startNanos;
    return waitedNanos < TimeUnit.MILLISECONDS.toNanos(transactions.settings().joinPatienceMs());
  }

  /** The markers that have been written meanwhile have made the guards void. */
  private void askAgain() {
    held.stream().filter(PartitionAppend::isHeld).forEach(PartitionAppend::begin);
    if (held.stream().anyMatch(PartitionAppend::isHeld)) {
      ask();
    } else {
      done.run();
    }
  }
}
