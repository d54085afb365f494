package io.tidelog.producer;

import static io.tidelog.producer.Batches.ours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.producer.Batches.Sent;
import io.tidelog.producer.ProducerStateException.Reason;
import io.tidelog.record.Origin;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IdempotenceTest {
  private final ProducerStates states = new ProducerStates(new TopicPartition("orders", 3));
  private long end;

  private void append(Sent batch) {
    assertThat(check(batch)).isEmpty();
    states.apply(ours(batch.at(end)));
    end += batch.records();
  }

  private Optional<WrittenBatch> check(Sent batch) {
    return states.check(ours(batch.at(0)), Origin.CLIENT, TransactionGuard.NONE);
  }

  private void assertRefused(Sent batch, Reason reason, String message) {
    assertThatExceptionOfType(ProducerStateException.class)
        .isThrownBy(() -> check(batch))
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void each_of_the_last_five_batches_is_known_and_a_gap_or_an_older_one_is_refused() {
    for (int sequence = 0; sequence < 10; sequence += 2) {
      append(Sent.of(7, 0, sequence, 2));
    }
    for (int sequence = 0; sequence < 10; sequence += 2) {
      assertThat(check(Sent.of(7, 0, sequence, 2)))
          .contains(new WrittenBatch(sequence, sequence + 1, 1000));
    }
    assertRefused(
        Sent.of(7, 0, 12, 2),
        Reason.OUT_OF_ORDER_SEQUENCE,
        "orders-3: producer 7, epoch 0: found sequence 12, expected 10");
    append(Sent.of(7, 0, 10, 2));
    assertRefused(Sent.of(7, 0, 0, 2), Reason.OUT_OF_ORDER_SEQUENCE, "found sequence 0");
    assertThat(check(Sent.of(7, 0, 2, 2))).isPresent();
  }

  @Test
  void a_copy_has_the_same_first_and_last_sequence_number() {
    append(Sent.of(7, 0, 0, 4));
    assertRefused(Sent.of(7, 0, 0, 3), Reason.OUT_OF_ORDER_SEQUENCE, "expected 4");
    assertRefused(Sent.of(7, 0, 1, 3), Reason.OUT_OF_ORDER_SEQUENCE, "expected 4");
    assertRefused(Sent.of(7, 0, 3, 2), Reason.OUT_OF_ORDER_SEQUENCE, "expected 4");
  }

  @Test
  void a_lower_epoch_is_fenced_and_a_new_one_begins_at_0() {
    append(Sent.of(7, 3, 0, 2));
    assertRefused(Sent.of(7, 2, 2, 1), Reason.INVALID_PRODUCER_EPOCH, "has written with epoch 3");
    assertRefused(Sent.of(7, 4, 2, 1), Reason.OUT_OF_ORDER_SEQUENCE, "as the epoch is new");
    append(Sent.of(7, 4, 0, 1));
    assertRefused(Sent.of(7, 3, 0, 2), Reason.INVALID_PRODUCER_EPOCH, "epoch 4");
    append(Sent.of(7, 4, 1, 1));
  }

  @Test
  void sequence_numbers_go_on_at_0_after_the_largest() {
    append(Sent.of(7, 0, Integer.MAX_VALUE - 2, 2));
    assertRefused(Sent.of(7, 0, 0, 1), Reason.OUT_OF_ORDER_SEQUENCE, "expected 2147483647");
    append(Sent.of(7, 0, Integer.MAX_VALUE, 3));
    assertThat(check(Sent.of(7, 0, Integer.MAX_VALUE, 3))).contains(new WrittenBatch(2, 4, 1000));
    append(Sent.of(7, 0, 2, 1));
    append(Sent.of(7, 0, 3, 1));
  }

  @Test
  void an_unknown_producer_may_begin_anywhere_and_others_do_not_matter_to_it() {
    append(Sent.of(7, 0, 100, 1));
    append(Sent.of(8, 5, 3, 1));
    append(Sent.of(7, 0, 101, 1));
    append(Sent.of(8, 5, 4, 1));
  }

  @Test
  void a_check_changes_nothing() {
    append(Sent.of(7, 0, 0, 1));
    for (int i = 0; i < 3; i++) {
      assertThat(check(Sent.of(7, 0, 1, 1))).isEmpty();
      assertThat(check(Sent.of(7, 1, 0, 1))).isEmpty();
      assertThat(check(Sent.of(9, 0, 5, 1))).isEmpty();
    }
    assertThat(states.all()).hasSize(1);
    append(Sent.of(7, 0, 1, 1));
  }

  @Test
  void a_producer_is_forgotten_when_its_last_timestamp_is_old() {
    append(Sent.of(7, 0, 0, 1));
    states.apply(ours(Sent.of(8, 0, 0, 1).inTransactionAt(end)));
    states.removeExpired(999);
    assertThat(states.all()).hasSize(2);
    states.removeExpired(1000);
    assertThat(states.all()).extracting(ProducerState::producerId).containsExactly(8L);
    append(Sent.of(7, 0, 55, 1));
  }

  @Test
  void while_a_transaction_is_open_nothing_is_written_outside_of_it() {
    states.apply(ours(Sent.of(7, 0, 0, 2).inTransactionAt(40)));
    states.apply(ours(Sent.of(8, 0, 0, 2).inTransactionAt(42)));
    states.apply(ours(Sent.of(7, 0, 2, 2).inTransactionAt(44)));
    assertThat(states.firstOpenTransaction()).hasValue(40);
    assertRefused(Sent.of(7, 0, 4, 1), Reason.INVALID_TXN_STATE, "open since offset 40");
    states.endTransaction(ours(Batches.marker(7, (short) 0, 46, 9)), 9);
    assertThat(states.firstOpenTransaction()).hasValue(42);
    assertThat(check(Sent.of(7, 0, 4, 1))).isEmpty();
    states.endTransaction(ours(Batches.marker(8, (short) 1, 47, 9)), 9);
    assertThat(states.firstOpenTransaction()).isEmpty();
  }

  @Test
  void what_the_broker_writes_itself_is_checked_for_its_epoch_only() {
    append(Sent.of(7, 3, 0, 2));
    assertThat(states.check(ours(Sent.of(7, 3, 0, 2).at(0)), Origin.BROKER, TransactionGuard.NONE))
        .isEmpty();
    assertThatExceptionOfType(ProducerStateException.class)
        .isThrownBy(
            () ->
                states.check(
                    ours(Sent.of(7, 2, 0, 2).at(0)), Origin.BROKER, TransactionGuard.NONE));
  }
}
