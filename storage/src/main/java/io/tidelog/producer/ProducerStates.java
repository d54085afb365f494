package io.tidelog.producer;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.record.Origin;
import io.tidelog.record.RecordBatch;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a partition remembers of its producers. An append takes two steps, so that nothing is
 * remembered that was not written: {@link #check} before the write, {@link #apply} after it. A
 * batch that is read back during recovery is only applied.
 *
 * <p>Rules for a producer's next batch, where the partition knows the producer:
 *
 * <ul>
 *   <li>A copy of one of its last five batches (same epoch, same first and last sequence number) is
 *       that batch.
 *   <li>A lower epoch than the last is refused.
 *   <li>In the same epoch its first sequence number is the one after the last; 0 follows 2^31-1. In
 *       a higher epoch it is 0.
 *   <li>While its transaction is open, each of its batches is part of one.
 * </ul>
 *
 * A producer that the partition does not know, or no longer, may begin anywhere. A batch that opens
 * a transaction needs a {@link #guard}.
 */
public final class ProducerStates {
  /** Transactions that wait for their first batch; about 1 MiB. */
  static final int MOST_PENDING = 8_192;

  private static final ProducerState NOBODY = new ProducerState(RecordBatch.NO_PRODUCER_ID);

  private final AppendRules rules;
  private final Map<Long, ProducerState> producers = new HashMap<>();
  private final Map<Long, PendingTransaction> pending = new Pending();
  private final UnstableTransactions unstable = new UnstableTransactions();

  /**
   * Anybody may ask for guards and never come back: there is room for so many, and the oldest goes.
   */
  @SuppressWarnings("serial") // never written
  private static final class Pending extends LinkedHashMap<Long, PendingTransaction> {
    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, PendingTransaction> eldest) {
      return size() > MOST_PENDING;
    }
  }

  /**
   * @param partition for messages
   */
  public ProducerStates(TopicPartition partition) {
    this.rules = new AppendRules(partition);
  }

  private ProducerState stateOf(long producerId) {
    return producers.getOrDefault(producerId, NOBODY);
  }

  /**
   * What a batch needs that begins a transaction.
   *
   * @param nowMs the time, by which guards that nobody came back with are forgotten
   * @return the guard to append it with; empty if the transaction is open already
   * @throws ProducerStateException if the epoch is old
   */
  public Optional<TransactionGuard> guard(FirstBatch batch, long nowMs) {
    ProducerState state = stateOf(batch.producerId());
    rules.requireEpoch(state, batch.producerId(), batch.epoch());
    if (state.isInTransaction(batch.epoch())) {
      return Optional.empty();
    }
    PendingTransaction transaction =
        pending.computeIfAbsent(
            batch.producerId(), unknown -> new PendingTransaction(batch, nowMs));
    transaction.note(batch);
    return Optional.of(transaction.guard());
  }

  /**
   * Whether a data batch may be written; changes nothing.
   *
   * @param guard what a batch that opens a transaction was verified under
   * @return where the batch already is, if it was sent again; empty if it may be written
   * @throws ProducerStateException if it may not
   */
  public Optional<WrittenBatch> check(RecordBatch batch, Origin origin, TransactionGuard guard) {
    if (!batch.hasProducerId()) {
      return Optional.empty();
    }
    ProducerState state = stateOf(batch.producerId());
    PendingTransaction transaction = pending.get(batch.producerId());
    if (origin == Origin.CLIENT) {
      Optional<WrittenBatch> written = state.find(batch);
      if (written.isPresent()) {
        return written;
      }
    }
    rules.requireEpoch(state, batch.producerId(), batch.producerEpoch());
    rules.requireVerified(batch, state, transaction, guard);
    if (origin == Origin.CLIENT) {
      rules.requireSequence(batch, state, transaction);
    }
    rules.requireInTransaction(batch, state);
    return Optional.empty();
  }

  /**
   * Whether a marker may be written; changes nothing.
   *
   * @throws ProducerStateException if it may not
   */
  public void check(EndTransactionMarker marker) {
    rules.requireCurrent(marker, stateOf(marker.producerId()));
  }

  /** Takes in a data batch that was written. */
  public void apply(RecordBatch batch) {
    if (!batch.hasProducerId()) {
      return;
    }
    if (batch.isControl()) {
      throw new IllegalArgumentException(
          "the control batch at offset " + batch.baseOffset() + " is one for endTransaction");
    }
    ProducerState state = producers.computeIfAbsent(batch.producerId(), ProducerState::new);
    state.add(batch);
    if (batch.isTransactional()) {
      state.transactionStart().ifPresent(unstable::begin);
      pending.remove(batch.producerId());
    }
  }

  /**
   * Takes in the marker that ends a producer's transaction.
   *
   * @param marker the control batch that was written
   * @param coordinatorEpoch what its record says
   * @return the transaction, if one was open
   */
  public Optional<EndedTransaction> endTransaction(RecordBatch marker, int coordinatorEpoch) {
    long producerId = marker.producerId();
    ProducerState state = producers.computeIfAbsent(producerId, ProducerState::new);
    OptionalLong start = state.transactionStart();
    state.endTransaction(marker, coordinatorEpoch);
    PendingTransaction next = pending.get(producerId);
    if (next != null && !next.isAfter(marker.producerEpoch())) {
      pending.remove(producerId);
    }
    if (start.isEmpty()) {
      return Optional.empty();
    }
    long offset = marker.baseOffset();
    unstable.end(start.getAsLong(), offset);
    return Optional.of(
        new EndedTransaction(
            producerId, start.getAsLong(), offset, unstable.firstOpen().orElse(offset + 1)));
  }

  /**
   * Ends the open transaction of a producer, if there is one, with a marker that is lost.
   *
   * @param offset of that marker
   * @return the transaction
   */
  public Optional<EndedTransaction> endWithoutMarker(long producerId, long offset) {
    ProducerState state = stateOf(producerId);
    OptionalLong start = state.transactionStart();
    if (start.isEmpty() || start.getAsLong() >= offset) {
      return Optional.empty();
    }
    state.forgetTransaction();
    unstable.end(start.getAsLong(), offset);
    return Optional.of(
        new EndedTransaction(
            producerId, start.getAsLong(), offset, unstable.firstOpen().orElse(offset + 1)));
  }

  /** The producers that have an open transaction, in the order of their last batches. */
  public List<Long> inTransaction() {
    return producers.values().stream()
        .filter(ProducerState::hasOpenTransaction)
        .sorted(Comparator.comparingLong(ProducerState::lastOffset))
        .map(ProducerState::producerId)
        .toList();
  }

  /** The lowest offset at which a transaction that is still open begins. */
  public OptionalLong firstOpenTransaction() {
    return unstable.firstOpen();
  }

  /**
   * The offset below which every transaction has ended for good, with a marker below the high
   * watermark; at most {@code highWatermark}.
   */
  public long stableBelow(long highWatermark) {
    unstable.commitTo(highWatermark);
    return unstable.firstUnstable(highWatermark);
  }

  /**
   * Forgets the producers without an open transaction whose last timestamp is at or before a time,
   * and the guards that were given out by then.
   *
   * @param cutoffMs now less {@code producer.id.expiration.ms}
   */
  public void removeExpired(long cutoffMs) {
    producers.values().removeIf(state -> isExpired(state, cutoffMs));
    pending.values().removeIf(transaction -> transaction.sinceMs() <= cutoffMs);
  }

  private static boolean isExpired(ProducerState state, long cutoffMs) {
    return !state.hasOpenTransaction() && state.lastTimestampMs() <= cutoffMs;
  }

  /**
   * Forgets all producers, and of their transactions all but those that ended below the end of the
   * log. Guards that were given out still stand.
   */
  void clear(long end) {
    producers.clear();
    unstable.startAgain(end);
  }

  /** Remembers these producers, but for those that are expired. */
  public void remember(Collection<ProducerState> states, long cutoffMs) {
    for (ProducerState state : states) {
      if (!isExpired(state, cutoffMs)) {
        producers.put(state.producerId(), state);
        state.transactionStart().ifPresent(unstable::begin);
      }
    }
  }

  /** All producers, as a view. */
  public Collection<ProducerState> all() {
    return Collections.unmodifiableCollection(producers.values());
  }

  /** All producers as they are now. */
  public List<ActiveProducer> active() {
    return producers.values().stream().map(ActiveProducer::of).toList();
  }
}
