package io.tidelog.producer;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.producer.ProducerStateException.Reason;
import io.tidelog.record.Origin;
import io.tidelog.record.RecordBatch;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

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
 * A producer that the partition does not know, or no longer, may begin anywhere.
 */
public final class ProducerStates {
  private final TopicPartition partition;
  private final Map<Long, ProducerState> producers = new HashMap<>();
  private final TreeSet<Long> openTransactions = new TreeSet<>();

  /**
   * @param partition for messages
   */
  public ProducerStates(TopicPartition partition) {
    this.partition = partition;
  }

  /**
   * Whether a batch may be written; changes nothing.
   *
   * @return where the batch already is, if it was sent again; empty if it may be written
   * @throws ProducerStateException if it may not
   */
  public Optional<WrittenBatch> check(RecordBatch batch, Origin origin) {
    ProducerState state = batch.hasProducerId() ? producers.get(batch.producerId()) : null;
    if (state == null) {
      return Optional.empty();
    }
    if (origin == Origin.CLIENT) {
      Optional<WrittenBatch> written = state.find(batch);
      if (written.isPresent()) {
        return written;
      }
    }
    requireEpoch(batch, state);
    if (origin == Origin.CLIENT) {
      requireSequence(batch, state);
    }
    if (state.hasOpenTransaction() && !batch.isTransactional()) {
      throw refused(
          Reason.INVALID_TXN_STATE,
          batch,
          "found a batch outside of a transaction, expected one in the transaction that is open"
              + " since offset "
              + state.transactionStart().getAsLong());
    }
    return Optional.empty();
  }

  private void requireEpoch(RecordBatch batch, ProducerState state) {
    if (batch.producerEpoch() < state.epoch()) {
      throw refused(
          Reason.INVALID_PRODUCER_EPOCH,
          batch,
          "a newer instance of this producer has written with epoch " + state.epoch());
    }
  }

  private void requireSequence(RecordBatch batch, ProducerState state) {
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

  private ProducerStateException refused(Reason reason, RecordBatch batch, String problem) {
    return new ProducerStateException(reason, partition, batch, problem);
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
    state.transactionStart().ifPresent(openTransactions::add);
  }

  /**
   * Takes in the marker that ends a producer's transaction.
   *
   * @param marker the control batch that was written
   * @param coordinatorEpoch what its record says
   */
  public void endTransaction(RecordBatch marker, int coordinatorEpoch) {
    ProducerState state = producers.computeIfAbsent(marker.producerId(), ProducerState::new);
    state.transactionStart().ifPresent(openTransactions::remove);
    state.endTransaction(marker, coordinatorEpoch);
  }

  /** The lowest offset at which a transaction that is still open begins. */
  public OptionalLong firstOpenTransaction() {
    return openTransactions.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(openTransactions.first());
  }

  /**
   * Forgets the producers without an open transaction whose last timestamp is at or before a time.
   *
   * @param cutoffMs now less {@code producer.id.expiration.ms}
   */
  public void removeExpired(long cutoffMs) {
    producers.values().removeIf(state -> isExpired(state, cutoffMs));
  }

  private static boolean isExpired(ProducerState state, long cutoffMs) {
    return !state.hasOpenTransaction() && state.lastTimestampMs() <= cutoffMs;
  }

  /** Forgets all. */
  public void clear() {
    producers.clear();
    openTransactions.clear();
  }

  /** Remembers these instead of all others, but for those that are expired. */
  void replaceWith(Collection<ProducerState> states, long cutoffMs) {
    clear();
    for (ProducerState state : states) {
      if (!isExpired(state, cutoffMs)) {
        producers.put(state.producerId(), state);
        state.transactionStart().ifPresent(openTransactions::add);
      }
    }
  }

  /** All producers, as a view. */
  public Collection<ProducerState> all() {
    return Collections.unmodifiableCollection(producers.values());
  }
}
