package io.tidelog.coordinator;

import io.tidelog.record.RecordBatch;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * The coordinator's own end of a transaction: its producer was too slow, or another took its place.
 * The producer's epoch is raised, so that whatever it still sends is refused.
 *
 * @param inForce the level of the feature {@code transaction.version}
 * @param newIds gives producer ids
 * @param nowMs the time
 */
record Abort(TransactionVersion inForce, LongSupplier newIds, long nowMs) {
  /** The state of an ongoing transaction after this. */
  TransactionMetadata of(TransactionMetadata ongoing) {
    return inForce.supportsEpochBump() ? raisingAtTheEnd(ongoing) : raisingFirst(ongoing);
  }

  private TransactionMetadata raisingAtTheEnd(TransactionMetadata ongoing) {
    long nextId =
        ongoing.isProducerEpochExhausted() ? newIds.getAsLong() : RecordBatch.NO_PRODUCER_ID;
    return Transition.after(
        ongoing,
        state ->
            state.prepareAbortOrCommit(
                TransactionState.PREPARE_ABORT, inForce, nextId, nowMs, false));
  }

  private TransactionMetadata raisingFirst(TransactionMetadata ongoing) {
    return Transition.after(
        ongoing,
        state -> {
          short raised = state.prepareFenceProducerEpoch().producerEpoch();
          state.pendingState(Optional.empty());
          state.setProducerEpoch(raised);
          state.setLastProducerEpoch(RecordBatch.NO_PRODUCER_EPOCH);
          return state.prepareAbortOrCommit(
              TransactionState.PREPARE_ABORT,
              TransactionVersion.TV_0,
              RecordBatch.NO_PRODUCER_ID,
              nowMs,
              false);
        });
  }
}
