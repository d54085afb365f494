package io.tidelog.producer;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.producer.ProducerStateException.Reason;
import io.tidelog.record.RecordBatch;

/**
 * Whether a producer's batch, or the marker that ends its transaction, may be written after what
 * the partition remembers of the producer. Throws if not, and changes nothing.
 */
final class AppendRules {
  private final TopicPartition partition;

  AppendRules(TopicPartition partition) {
    this.partition = partition;
  }

  /** No batch of an older instance of the producer is taken. */
  void requireEpoch(ProducerState state, long producerId, short epoch) {
    if (epoch < state.epoch()) {
      throw newerInstance(state, producerId, epoch);
    }
  }

  private ProducerStateException newerInstance(ProducerState state, long producerId, short epoch) {
    return refused(
        Reason.INVALID_PRODUCER_EPOCH,
        producerId,
        epoch,
        "a newer instance of this producer has written with epoch " + state.epoch());
  }

  /** A transaction is opened only by a batch whose guard still stands. */
  void requireVerified(
      RecordBatch batch, ProducerState state, PendingTransaction pending, TransactionGuard guard) {
    boolean opensOne = batch.isTransactional() && !state.isInTransaction(batch.producerEpoch());
    if (opensOne && (pending == null || pending.guard() != guard)) {
      throw refused(
          Reason.INVALID_TXN_STATE,
          batch,
          "no transaction of this producer is open here, and the batch comes without a verification"
              + " that still stands");
    }
  }

  /** A client's sequence numbers go on without a gap. */
  void requireSequence(RecordBatch batch, ProducerState state, PendingTransaction pending) {
    if (pending != null) {
      requireFirst(batch, state, pending);
    }
    boolean sameEpoch = batch.producerEpoch() == state.epoch();
    int expected = sameEpoch ? RecordBatch.addToSequence(state.lastSequence(), 1) : 0;
    if (batch.baseSequence() != expected && state.epoch() != RecordBatch.NO_PRODUCER_EPOCH) {
      throw refused(
          Reason.OUT_OF_ORDER_SEQUENCE,
          batch,
          "found sequence %d, expected %d, the next one%s"
              .formatted(batch.baseSequence(), expected, sameEpoch ? "" : ", as the epoch is new"));
    }
  }

  private void requireFirst(RecordBatch batch, ProducerState state, PendingTransaction pending) {
    int first =
        pending.raisesEpochs() && !state.hasBatches()
            ? Math.min(0, pending.lowestSequence())
            : pending.lowestSequence();
    if (batch.baseSequence() > first) {
      throw refused(
          Reason.OUT_OF_ORDER_SEQUENCE,
          batch,
          "found sequence %d, expected %d, with which the transaction begins"
              .formatted(batch.baseSequence(), first));
    }
  }

  /** What a producer writes while its transaction is open is part of it. */
  void requireInTransaction(RecordBatch batch, ProducerState state) {
    if (state.hasOpenTransaction() && !batch.isTransactional()) {
      throw refused(
          Reason.INVALID_TXN_STATE,
          batch,
          "found a batch outside of a transaction, expected one in the transaction that is open"
              + " since offset "
              + state.transactionStart().getAsLong());
    }
  }

  /** No marker of an older instance of the producer, nor of an older coordinator. */
  void requireCurrent(EndTransactionMarker marker, ProducerState state) {
    boolean isOld =
        marker.protocol() == TransactionProtocol.V2
            ? marker.epoch() <= state.epoch() && !isWrittenAgain(marker, state)
            : marker.epoch() < state.epoch();
    if (isOld) {
      throw newerInstance(state, marker.producerId(), marker.epoch());
    }
    if (marker.coordinatorEpoch() < state.coordinatorEpoch()) {
      throw refused(
          Reason.TRANSACTION_COORDINATOR_FENCED,
          marker.producerId(),
          marker.epoch(),
          "found a marker of the transaction coordinator with epoch %d, one with epoch %d has written"
              .formatted(marker.coordinatorEpoch(), state.coordinatorEpoch()));
    }
  }

  /** A coordinator that heard no answer sends its marker again; the largest epoch is not raised. */
  private static boolean isWrittenAgain(EndTransactionMarker marker, ProducerState state) {
    return marker.epoch() == state.epoch()
        && (!state.hasOpenTransaction() || marker.epoch() == Short.MAX_VALUE);
  }

  private ProducerStateException refused(Reason reason, RecordBatch batch, String problem) {
    return refused(reason, batch.producerId(), batch.producerEpoch(), problem);
  }

  private ProducerStateException refused(
      Reason reason, long producerId, short epoch, String problem) {
    return new ProducerStateException(
        reason, "%s: producer %d, epoch %d: %s".formatted(partition, producerId, epoch, problem));
  }
}
