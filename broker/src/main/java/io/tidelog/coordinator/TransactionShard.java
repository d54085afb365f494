package io.tidelog.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataImage;
import org.apache.kafka.coordinator.common.runtime.CoordinatorShard;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.timeline.SnapshotRegistry;
import org.apache.kafka.timeline.TimelineHashMap;

/**
 * The transactions of one partition of {@code __transaction_state}. What its records add up to, now
 * and as of what is committed; a state is replaced, never changed.
 *
 * <p>Threads: those of the runtime of coordinators, one at a time.
 */
final class TransactionShard implements CoordinatorShard<TransactionRecord> {
  private static final int FIRST_CAPACITY = 16;

  private final TimelineHashMap<String, TransactionMetadata> states;
  private final Runnable whenLoaded;

  /**
   * @param whenLoaded told when all records have been replayed
   */
  TransactionShard(SnapshotRegistry snapshots, Runnable whenLoaded) {
    this.states = new TimelineHashMap<>(snapshots, FIRST_CAPACITY);
    this.whenLoaded = whenLoaded;
  }

  @Override
  public void replay(long offset, long producerId, short producerEpoch, TransactionRecord record) {
    if (record.state() == null) {
      states.remove(record.transactionalId());
    } else {
      states.put(record.transactionalId(), record.state());
    }
  }

  @Override
  public void onLoaded(CoordinatorMetadataImage image) {
    whenLoaded.run();
  }

  /** The newest state, committed or not. */
  Optional<TransactionMetadata> find(String transactionalId) {
    return Optional.ofNullable(states.get(transactionalId));
  }

  /**
   * As {@link #find(String)}.
   *
   * @throws org.apache.kafka.common.errors.InvalidPidMappingException if the id is unknown
   */
  TransactionMetadata require(String transactionalId) {
    return find(transactionalId).orElseThrow(Errors.INVALID_PRODUCER_ID_MAPPING::exception);
  }

  /** The state as of a committed offset. */
  Optional<TransactionMetadata> find(String transactionalId, long committedOffset) {
    return Optional.ofNullable(states.get(transactionalId, committedOffset));
  }

  /** The states as of a committed offset for which this is so. */
  List<TransactionMetadata> select(Predicate<TransactionMetadata> wanted, long committedOffset) {
    List<TransactionMetadata> selected = new ArrayList<>();
    for (TransactionMetadata state : states.values(committedOffset)) {
      if (wanted.test(state)) {
        selected.add(state);
      }
    }
    return selected;
  }

  /** The newest states for which this is so. */
  List<TransactionMetadata> select(Predicate<TransactionMetadata> wanted) {
    return states.values().stream().filter(wanted).toList();
  }

  /** Whether a transaction is decided but its partitions may not know yet. */
  static boolean isEnding(TransactionMetadata state) {
    return state.state() == TransactionState.PREPARE_COMMIT
        || state.state() == TransactionState.PREPARE_ABORT;
  }

  /**
   * Refuses what has to wait until all partitions know how the transaction ended.
   *
   * @throws org.apache.kafka.common.errors.ConcurrentTransactionsException if they may not know yet
   */
  static void requireNotEnding(TransactionMetadata state) {
    if (isEnding(state)) {
      throw Errors.CONCURRENT_TRANSACTIONS.exception();
    }
  }
}
