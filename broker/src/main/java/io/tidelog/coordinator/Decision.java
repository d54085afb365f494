package io.tidelog.coordinator;

import java.util.Optional;
import org.apache.kafka.coordinator.common.runtime.CoordinatorResult;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;

/**
 * What comes of a request to a transaction. What is refused is thrown instead, as one of Kafka's
 * API exceptions.
 *
 * @param next the state from now on; empty if it stays as it is
 * @param answer what the producer is told once the new state is committed
 */
record Decision<T>(Optional<TransactionMetadata> next, T answer) {

  static <T> Decision<T> stay(T answer) {
    return new Decision<>(Optional.empty(), answer);
  }

  static <T> Decision<T> move(TransactionMetadata next, T answer) {
    return new Decision<>(Optional.of(next), answer);
  }

  /** As the runtime of coordinators takes it: it answers with the decision once it is committed. */
  CoordinatorResult<Decision<T>, TransactionRecord> result() {
    return new CoordinatorResult<>(next.map(TransactionRecord::of).stream().toList(), this);
  }
}
