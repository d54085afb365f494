package io.tidelog.coordinator;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.coordinator.common.runtime.CoordinatorResult;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the coordinator does unasked, because of the time: it aborts transactions that are open for
 * longer than their producers asked for, and forgets transactional ids that nobody uses any more.
 */
final class Overdue {
  private static final Logger LOG = LoggerFactory.getLogger(Overdue.class);

  private final TransactionNeeds needs;

  Overdue(TransactionNeeds needs) {
    this.needs = needs;
  }

  /** Aborts what has timed out; those are the result. */
  CoordinatorResult<List<TransactionMetadata>, TransactionRecord> abort(
      TransactionShard shard, long nowMs) {
    Abort abort = new Abort(needs.inForce().get(), needs.ids()::take, nowMs);
    List<TransactionMetadata> aborted = new ArrayList<>();
    for (TransactionMetadata late : shard.select(state -> isTimedOut(state, nowMs))) {
      try {
        aborted.add(abort.of(late));
      } catch (ApiException noIdAtHand) {
        LOG.debug("The next round aborts \"{}\"", late.transactionalId(), noIdAtHand);
      }
    }
    List<TransactionRecord> records = aborted.stream().map(TransactionRecord::of).toList();
    return new CoordinatorResult<>(records, aborted, null, true, false);
  }

  /** Says which transactions were aborted, once that is written. */
  static void tell(List<TransactionMetadata> aborted) {
    for (TransactionMetadata late : aborted) {
      LOG.info(
          "Transaction \"{}\" is aborted: it was open for more than its timeout of {} ms",
          late.transactionalId(),
          late.txnTimeoutMs());
    }
  }

  private static boolean isTimedOut(TransactionMetadata state, long nowMs) {
    return state.state() == TransactionState.ONGOING
        && !state.isDistributedTwoPhaseCommitTxn()
        && state.txnStartTimestamp() + state.txnTimeoutMs() < nowMs;
  }

  /** Forgets what has expired. */
  CoordinatorResult<Void, TransactionRecord> forget(TransactionShard shard, long nowMs) {
    long cutoffMs = nowMs - needs.settings().idExpirationMs();
    List<TransactionRecord> tombstones =
        shard
            .select(
                state ->
                    state.state().isExpirationAllowed()
                        && state.txnLastUpdateTimestamp() <= cutoffMs)
            .stream()
            .map(state -> TransactionRecord.tombstone(state.transactionalId()))
            .toList();
    return new CoordinatorResult<>(tombstones, null, null, true, false);
  }
}
