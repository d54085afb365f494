package io.tidelog.coordinator;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/** Knows which partitions are part of which transaction. */
@FunctionalInterface
public interface TransactionAdmission {

  /**
   * Asks whether partitions may take the first batches of a producer's transaction.
   *
   * @return the partitions that may not, each with the error that its writer is told
   */
  CompletableFuture<Map<TopicPartition, Errors>> admit(
      ProducerClaim producer, Set<TopicPartition> partitions, JoinRule rule);
}
