package io.tidelog.coordinator;

import java.util.function.Function;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;

/**
 * One step of a transaction, by Kafka's own rules. The state before is left as it is, for readers
 * may look at it, and for the case that the step cannot be written.
 */
final class Transition {
  private Transition() {}

  /**
   * The state after a step.
   *
   * @param step calls one of the prepare methods of the state that it is given
   */
  static TransactionMetadata after(
      TransactionMetadata before, Function<TransactionMetadata, TxnTransitMetadata> step) {
    TransactionMetadata next = copyOf(before);
    next.completeTransitionTo(step.apply(next));
    return next;
  }

  private static TransactionMetadata copyOf(TransactionMetadata state) {
    return new TransactionMetadata(
        state.transactionalId(),
        state.producerId(),
        state.prevProducerId(),
        state.prepareNoTransit().nextProducerId(),
        state.producerEpoch(),
        state.lastProducerEpoch(),
        state.txnTimeoutMs(),
        state.state(),
        state.topicPartitions(),
        state.txnStartTimestamp(),
        state.txnLastUpdateTimestamp(),
        state.clientTransactionVersion());
  }
}
