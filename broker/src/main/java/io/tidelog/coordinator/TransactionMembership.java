package io.tidelog.coordinator;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * Partitions that are to be part of a producer's transaction, or are asked to be.
 *
 * @param producer whose
 * @param partitions which
 */
record TransactionMembership(ProducerClaim producer, Set<TopicPartition> partitions) {

  /** Adds them; the first ones begin a transaction. */
  Decision<Errors> add(TransactionMetadata state, TransactionVersion version, long nowMs) {
    requireProducer(state);
    if (state.state() == TransactionState.ONGOING
        && state.topicPartitions().containsAll(partitions)) {
      return Decision.stay(Errors.NONE);
    }
    TransactionMetadata next =
        Transition.after(state, before -> before.prepareAddPartitions(partitions, nowMs, version));
    return Decision.move(next, Errors.NONE);
  }

  /** Says of each whether it is part of the transaction. */
  Map<TopicPartition, Errors> verify(TransactionMetadata state) {
    requireProducer(state);
    Map<TopicPartition, Errors> answers = new HashMap<>();
    for (TopicPartition partition : partitions) {
      answers.put(
          partition,
          state.topicPartitions().contains(partition) ? Errors.NONE : Errors.TRANSACTION_ABORTABLE);
    }
    return answers;
  }

  private void requireProducer(TransactionMetadata state) {
    if (state.producerId() != producer.producerId()) {
      throw Errors.INVALID_PRODUCER_ID_MAPPING.exception();
    }
    if (state.producerEpoch() != producer.producerEpoch()) {
      throw Errors.PRODUCER_FENCED.exception();
    }
    if (state.state() == TransactionState.PREPARE_COMMIT
        || state.state() == TransactionState.PREPARE_ABORT) {
      throw Errors.CONCURRENT_TRANSACTIONS.exception();
    }
  }
}
