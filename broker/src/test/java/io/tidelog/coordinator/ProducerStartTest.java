package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ConcurrentTransactionsException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which id and epoch a producer gets that starts, as Kafka's coordinator decides it. */
class ProducerStartTest {
  private static final short LAST = Short.MAX_VALUE - 1;

  private final AtomicLong newIds = new AtomicLong(100);
  private TransactionVersion inForce = TransactionVersion.TV_2;

  private Decision<ProducerGrant> start(Optional<TransactionMetadata> state) {
    return start(state, Optional.empty());
  }

  private Decision<ProducerGrant> start(
      Optional<TransactionMetadata> state, Optional<ProducerClaim> known) {
    return new ProducerStart(
            new StartingProducer("id", 5_000, known), newIds::getAndIncrement, inForce, 1_000)
        .decide(state);
  }

  private static Optional<ProducerClaim> known(long id, int epoch) {
    return Optional.of(new ProducerClaim("id", id, (short) epoch));
  }

  private static Optional<TransactionMetadata> state(TransactionState in, long id, int epoch) {
    boolean isOpen = in != TransactionState.EMPTY;
    return Optional.of(
        new TransactionMetadata(
            "id",
            id,
            id - 1,
            -1,
            (short) epoch,
            (short) -1,
            60_000,
            in,
            in == TransactionState.ONGOING ? Set.of(new TopicPartition("t", 0)) : Set.of(),
            isOpen ? 500 : -1,
            500,
            TransactionVersion.TV_2));
  }

  @Test
  void a_new_id_begins_at_epoch_0_and_every_start_raises_it() {
    Decision<ProducerGrant> first = start(Optional.empty());
    assertThat(first.answer()).isEqualTo(ProducerGrant.of(100, (short) 0));
    Decision<ProducerGrant> second = start(first.next());
    assertThat(second.answer()).isEqualTo(ProducerGrant.of(100, (short) 1));
    assertThat(second.next().orElseThrow().txnTimeoutMs()).isEqualTo(5_000);
  }

  @Test
  void what_the_producer_of_a_new_id_says_that_it_was_counts_for_nothing() {
    for (int epoch : new int[] {0, 3, LAST, Short.MAX_VALUE}) {
      Decision<ProducerGrant> first = start(Optional.empty(), known(55, epoch));
      assertThat(first.answer().producerEpoch()).isZero();
      assertThat(first.answer().producerId()).isNotEqualTo(55);
      assertThatThrownBy(() -> start(first.next(), known(55, 3)))
          .as("it is not new when it is asked for again")
          .isInstanceOf(ProducerFencedException.class);
    }
  }

  @Test
  void a_producer_that_goes_on_may_ask_twice() {
    Optional<TransactionMetadata> state = start(Optional.empty()).next();
    Decision<ProducerGrant> raised = start(state, known(100, 0));
    assertThat(raised.answer()).isEqualTo(ProducerGrant.of(100, (short) 1));
    assertThat(start(raised.next(), known(100, 0)).answer())
        .isEqualTo(ProducerGrant.of(100, (short) 1));
    assertThat(start(raised.next(), known(100, 1)).answer())
        .isEqualTo(ProducerGrant.of(100, (short) 2));
  }

  @Test
  void a_producer_that_another_has_followed_is_fenced() {
    Optional<TransactionMetadata> state = state(TransactionState.EMPTY, 100, 5);
    assertThatThrownBy(() -> start(state, known(100, 3)))
        .isInstanceOf(ProducerFencedException.class);
    assertThatThrownBy(() -> start(state, known(42, 5)))
        .isInstanceOf(ProducerFencedException.class);
    assertThatThrownBy(() -> start(state, known(99, 5)))
        .isInstanceOf(ProducerFencedException.class);
  }

  @Test
  void the_last_epoch_is_followed_by_another_id() {
    Optional<TransactionMetadata> state = state(TransactionState.COMPLETE_COMMIT, 7, LAST);
    Decision<ProducerGrant> rotated = start(state, known(7, LAST));
    assertThat(rotated.answer()).isEqualTo(ProducerGrant.of(100, (short) 0));
    assertThat(start(rotated.next(), known(7, LAST)).answer())
        .as("asked again, because the answer was lost")
        .isEqualTo(ProducerGrant.of(100, (short) 0));
    assertThat(start(state).answer()).isEqualTo(ProducerGrant.of(101, (short) 0));
  }

  @ParameterizedTest
  @EnumSource(
      value = TransactionState.class,
      names = {"PREPARE_COMMIT", "PREPARE_ABORT"})
  void while_a_transaction_ends_nobody_starts(TransactionState in) {
    assertThatThrownBy(() -> start(state(in, 100, 5)))
        .isInstanceOf(ConcurrentTransactionsException.class);
    for (long id : new long[] {100, 101, 42}) {
      assertThatThrownBy(() -> start(state(in, 100, 5), known(id, 0)))
          .as("the producer may have an id that comes into force at the end")
          .isInstanceOf(ConcurrentTransactionsException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TransactionVersion.class,
      names = {"TV_0", "TV_2"})
  void an_open_transaction_is_aborted_first_with_a_raised_epoch(TransactionVersion version) {
    inForce = version;
    Decision<ProducerGrant> aborted = start(state(TransactionState.ONGOING, 100, 5));
    assertThat(aborted.answer()).isEqualTo(ProducerGrant.of(Errors.CONCURRENT_TRANSACTIONS));
    TransactionMetadata next = aborted.next().orElseThrow();
    assertThat(next.state()).isEqualTo(TransactionState.PREPARE_ABORT);
    assertThat(next.producerEpoch()).isEqualTo((short) 6);
    assertThat(next.topicPartitions()).hasSize(1);
  }
}
