package io.tidelog.coordinator;

import io.tidelog.record.RecordBatch;
import java.util.function.LongSupplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * A producer ends its transaction. With transactions v2 each end raises the producer's epoch; a
 * producer that asks again, because it missed the answer, is told apart by the epoch before. It may
 * also abort what it never began, to be given an epoch with which nothing of it is under way.
 *
 * @param producer who ends it
 * @param result whether it is to count
 * @param version how the producer speaks
 * @param newIds gives producer ids
 * @param nowMs the time
 */
record TransactionEnd(
    ProducerClaim producer,
    TransactionResult result,
    TransactionVersion version,
    LongSupplier newIds,
    long nowMs) {
  /** With this epoch a producer's epochs are used up by the next end of a transaction. */
  private static final short LAST_EPOCH = Short.MAX_VALUE - 1;

  Decision<ProducerGrant> decide(TransactionMetadata state) {
    return version.supportsEpochBump() ? decideV2(state) : decideV1(state);
  }

  private Decision<ProducerGrant> decideV1(TransactionMetadata state) {
    if (state.producerId() != producer.producerId()) {
      throw Errors.INVALID_PRODUCER_ID_MAPPING.exception();
    }
    if (state.producerEpoch() != producer.producerEpoch()) {
      throw Errors.PRODUCER_FENCED.exception();
    }
    TransactionShard.requireNotEnding(state);
    return switch (state.state()) {
      case ONGOING ->
          Decision.move(
              ended(state, TransactionVersion.TV_0, Begun.YES), ProducerGrant.of(Errors.NONE));
      case COMPLETE_COMMIT, COMPLETE_ABORT -> {
        requireSameResult(state);
        yield Decision.stay(ProducerGrant.of(Errors.NONE));
      }
      case EMPTY -> throw Errors.INVALID_TXN_STATE.exception();
      default -> throw notKept(state);
    };
  }

  /**
   * Before the markers are written the producer already has the epoch, or even the id, with which
   * it goes on; so it is looked at only after that.
   */
  private Decision<ProducerGrant> decideV2(TransactionMetadata state) {
    TransactionShard.requireNotEnding(state);
    boolean hadTheLastId =
        state.prevProducerId() == producer.producerId()
            && producer.producerEpoch() == LAST_EPOCH
            && state.producerEpoch() == 0;
    boolean isRepeated = hadTheLastId || state.producerEpoch() == producer.producerEpoch() + 1;
    if (state.producerId() != producer.producerId() && !hadTheLastId) {
      throw Errors.INVALID_PRODUCER_ID_MAPPING.exception();
    }
    requireEpoch(state, isRepeated);
    return switch (state.state()) {
      case ONGOING -> raised(ended(state, version, Begun.YES));
      case COMPLETE_COMMIT, COMPLETE_ABORT ->
          isRepeated ? endedBefore(state) : abortedUnbegun(state);
      case EMPTY -> abortedUnbegun(state);
      default -> throw notKept(state);
    };
  }

  private void requireEpoch(TransactionMetadata state, boolean isRepeated) {
    boolean isCurrent = state.producerEpoch() == producer.producerEpoch();
    boolean isOver =
        state.state() == TransactionState.COMPLETE_COMMIT
            || state.state() == TransactionState.COMPLETE_ABORT;
    if (!isCurrent && !(isOver && isRepeated)) {
      throw Errors.PRODUCER_FENCED.exception();
    }
  }

  private Decision<ProducerGrant> endedBefore(TransactionMetadata state) {
    requireSameResult(state);
    return Decision.stay(ProducerGrant.of(state.producerId(), state.producerEpoch()));
  }

  private Decision<ProducerGrant> abortedUnbegun(TransactionMetadata state) {
    if (result == TransactionResult.COMMIT) {
      throw Errors.INVALID_TXN_STATE.exception();
    }
    return raised(ended(state, version, Begun.NO));
  }

  /** Whether anything was added to the transaction. */
  private enum Begun {
    YES,
    NO
  }

  private TransactionMetadata ended(TransactionMetadata state, TransactionVersion as, Begun begun) {
    boolean needsId = as.supportsEpochBump() && state.isProducerEpochExhausted();
    long nextId = needsId ? newIds.getAsLong() : RecordBatch.NO_PRODUCER_ID;
    return Transition.after(
        state,
        before ->
            before.prepareAbortOrCommit(
                result == TransactionResult.COMMIT
                    ? TransactionState.PREPARE_COMMIT
                    : TransactionState.PREPARE_ABORT,
                as,
                nextId,
                nowMs,
                begun == Begun.NO));
  }

  /** What the producer goes on with, once the transaction is complete. */
  private static Decision<ProducerGrant> raised(TransactionMetadata ended) {
    TransactionMetadata complete =
        Transition.after(ended, state -> state.prepareComplete(state.txnLastUpdateTimestamp()));
    return Decision.move(ended, ProducerGrant.of(complete.producerId(), complete.producerEpoch()));
  }

  private void requireSameResult(TransactionMetadata state) {
    boolean committed = state.state() == TransactionState.COMPLETE_COMMIT;
    if (committed != (result == TransactionResult.COMMIT)) {
      throw Errors.INVALID_TXN_STATE.exception();
    }
  }

  private static RuntimeException notKept(TransactionMetadata state) {
    return new IllegalStateException("no transaction is kept in state " + state.state());
  }
}
