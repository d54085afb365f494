package io.tidelog.coordinator;

import org.apache.kafka.coordinator.transaction.TransactionMetadata;

/**
 * A change of a transaction as the coordinator writes and replays it.
 *
 * @param transactionalId whose
 * @param state what it is from now on; null if the id is forgotten. Not to be changed.
 */
record TransactionRecord(String transactionalId, TransactionMetadata state) {

  static TransactionRecord of(TransactionMetadata state) {
    return new TransactionRecord(state.transactionalId(), state);
  }

  static TransactionRecord tombstone(String transactionalId) {
    return new TransactionRecord(transactionalId, null);
  }
}
