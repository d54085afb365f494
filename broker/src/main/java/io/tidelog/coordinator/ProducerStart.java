package io.tidelog.coordinator;

import io.tidelog.record.RecordBatch;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * A producer starts: it gets the next epoch of its transactional id, which fences off whoever had
 * the one before; a new producer id when the epochs are used up. A transaction that its predecessor
 * left open is aborted first, and the producer asks again.
 *
 * @param producer who starts
 * @param newIds gives producer ids
 * @param inForce the level of the feature {@code transaction.version}
 * @param nowMs the time
 */
record ProducerStart(
    StartingProducer producer, LongSupplier newIds, TransactionVersion inForce, long nowMs) {
  private static final long NO_TIME = -1;

  /**
   * Decides.
   *
   * @param known the state of the transactional id; empty if it is new
   */
  Decision<ProducerGrant> decide(Optional<TransactionMetadata> known) {
    TransactionMetadata state = known.orElseGet(this::fresh);
    TransactionShard.requireNotEnding(state);
    if (!mayGoOnAs(state)) {
      throw Errors.PRODUCER_FENCED.exception();
    }
    return switch (state.state()) {
      case ONGOING ->
          Decision.move(
              new Abort(inForce, newIds, nowMs).of(state),
              ProducerGrant.of(Errors.CONCURRENT_TRANSACTIONS));
      case EMPTY, COMPLETE_ABORT, COMPLETE_COMMIT -> grant(state);
      default ->
          throw new IllegalStateException("no transaction is kept in state " + state.state());
    };
  }

  private TransactionMetadata fresh() {
    return new TransactionMetadata(
        producer.transactionalId(),
        newIds.getAsLong(),
        RecordBatch.NO_PRODUCER_ID,
        RecordBatch.NO_PRODUCER_ID,
        RecordBatch.NO_PRODUCER_EPOCH,
        RecordBatch.NO_PRODUCER_EPOCH,
        producer.timeoutMs(),
        TransactionState.EMPTY,
        Set.of(),
        NO_TIME,
        nowMs,
        TransactionVersion.TV_0);
  }

  /** A producer that names an id goes on only if it is the one that has it, or had it last. */
  private boolean mayGoOnAs(TransactionMetadata state) {
    if (producer.known().isEmpty() || state.producerEpoch() == RecordBatch.NO_PRODUCER_EPOCH) {
      return true;
    }
    ProducerClaim claim = producer.known().get();
    return claim.producerId() == state.producerId()
        || (claim.producerId() == state.prevProducerId()
            && TransactionMetadata.isEpochExhausted(claim.producerEpoch()));
  }

  private Decision<ProducerGrant> grant(TransactionMetadata state) {
    Optional<Short> knownEpoch = producer.known().map(ProducerClaim::producerEpoch);
    boolean isCurrent = knownEpoch.isEmpty() || knownEpoch.get() == state.producerEpoch();
    TransactionMetadata next =
        Transition.after(
            state,
            before ->
                before.isProducerEpochExhausted() && isCurrent
                    ? before.prepareProducerIdRotation(
                        newIds.getAsLong(), producer.timeoutMs(), nowMs, knownEpoch.isPresent())
                    : before.prepareIncrementProducerEpoch(
                        producer.timeoutMs(), knownEpoch, nowMs));
    return Decision.move(next, ProducerGrant.of(next.producerId(), next.producerEpoch()));
  }
}
