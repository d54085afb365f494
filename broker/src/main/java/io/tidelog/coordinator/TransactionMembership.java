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

  /**
   * Adds them; the first ones begin a transaction. While the one before is being completed its
   * producer already has another epoch, or even another id; so it is looked at only after that.
   */
  Decision<Errors> add(TransactionMetadata state, TransactionVersion version, long nowMs) {
    TransactionShard.requireNotEnding(state);
    requireProducer(state);
    if (state.state() == TransactionState.ONGOING
        && state.topicPartitions().containsAll(partitions)) {
      return Decision.stay(Errors.NONE);
    }
    TransactionMetadata next =
        Transition.after(state, before -> before.prepareAddPartitions(partitions, nowMs, version));
    return Decision.move(next, Errors.NONE);
  }

  /**
   * Says of each whether it is part of the transaction. Unlike {@link #add}, and as in Kafka, this
   * looks at the producer first: who has to ask keeps its epoch from one transaction to the next.
   */
  Map<TopicPartition, Errors> verify(TransactionMetadata state) {
    requireProducer(state);
    TransactionShard.requireNotEnding(state);
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
  }
}
