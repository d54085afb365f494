package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What comes of each request in each state, as Kafka's coordinator decides it. */
class TransactionEndTest {
  private static final long ID = 7;
  private static final short EPOCH = 3;
  private static final long NOW_MS = 1_000;
  private static final TransactionVersion V2 = TransactionVersion.TV_2;

  private final AtomicLong newIds = new AtomicLong(100);

  private static TransactionMetadata state(TransactionState in, int epoch) {
    boolean hasPartitions =
        in == TransactionState.ONGOING
            || in == TransactionState.PREPARE_COMMIT
            || in == TransactionState.PREPARE_ABORT;
    return new TransactionMetadata(
        "id",
        ID,
        ID,
        -1,
        (short) epoch,
        (short) (epoch - 1),
        60_000,
        in,
        hasPartitions ? Set.of(new TopicPartition("t", 0)) : Set.of(),
        in == TransactionState.EMPTY ? -1 : 500,
        500,
        V2);
  }

  private Decision<ProducerGrant> end(
      TransactionMetadata state, TransactionVersion version, int epoch, TransactionResult result) {
    return new TransactionEnd(
            new ProducerClaim("id", ID, (short) epoch),
            result,
            version,
            newIds::getAndIncrement,
            NOW_MS)
        .decide(state);
  }

  /** "NONE" for no change, the next state, or the error. */
  private static <T> String outcome(Function<Void, Decision<T>> decision) {
    try {
      Optional<TransactionMetadata> next = decision.apply(null).next();
      return next.map(state -> state.state().name() + " " + state.producerEpoch()).orElse("NONE");
    } catch (ApiException e) {
      return Errors.forException(e).name();
    }
  }

  /** In Kafka a prepared transaction is in transition, which comes after the producer here. */
  @ParameterizedTest
  @CsvSource({
    "EMPTY, COMMIT, 3, INVALID_TXN_STATE",
    "EMPTY, ABORT, 3, INVALID_TXN_STATE",
    "ONGOING, COMMIT, 3, PREPARE_COMMIT 3",
    "ONGOING, ABORT, 3, PREPARE_ABORT 3",
    "ONGOING, COMMIT, 2, PRODUCER_FENCED",
    "ONGOING, COMMIT, 4, PRODUCER_FENCED",
    "PREPARE_COMMIT, COMMIT, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_COMMIT, COMMIT, 2, PRODUCER_FENCED",
    "PREPARE_COMMIT, ABORT, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, ABORT, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, ABORT, 4, PRODUCER_FENCED",
    "PREPARE_ABORT, COMMIT, 3, CONCURRENT_TRANSACTIONS",
    "COMPLETE_COMMIT, COMMIT, 3, NONE",
    "COMPLETE_COMMIT, ABORT, 3, INVALID_TXN_STATE",
    "COMPLETE_ABORT, ABORT, 3, NONE",
    "COMPLETE_ABORT, COMMIT, 3, INVALID_TXN_STATE",
  })
  void without_raised_epochs(
      TransactionState in, TransactionResult result, int epoch, String expected) {
    assertThat(outcome(unused -> end(state(in, EPOCH), TransactionVersion.TV_0, epoch, result)))
        .isEqualTo(expected);
  }

  /** In Kafka a prepared transaction is in transition, which is what comes first here. */
  @ParameterizedTest
  @CsvSource({
    "EMPTY, COMMIT, 3, INVALID_TXN_STATE",
    "EMPTY, ABORT, 3, PREPARE_ABORT 4",
    "EMPTY, ABORT, 2, PRODUCER_FENCED",
    "ONGOING, COMMIT, 3, PREPARE_COMMIT 4",
    "ONGOING, ABORT, 3, PREPARE_ABORT 4",
    "ONGOING, COMMIT, 2, PRODUCER_FENCED",
    "ONGOING, COMMIT, 4, PRODUCER_FENCED",
    "PREPARE_COMMIT, COMMIT, 2, CONCURRENT_TRANSACTIONS",
    "PREPARE_COMMIT, COMMIT, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_COMMIT, COMMIT, 1, CONCURRENT_TRANSACTIONS",
    "PREPARE_COMMIT, ABORT, 2, CONCURRENT_TRANSACTIONS",
    "PREPARE_COMMIT, ABORT, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, ABORT, 2, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, ABORT, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, COMMIT, 2, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, COMMIT, 3, CONCURRENT_TRANSACTIONS",
    "COMPLETE_COMMIT, COMMIT, 2, NONE",
    "COMPLETE_COMMIT, COMMIT, 3, INVALID_TXN_STATE",
    "COMPLETE_COMMIT, ABORT, 2, INVALID_TXN_STATE",
    "COMPLETE_COMMIT, ABORT, 3, PREPARE_ABORT 4",
    "COMPLETE_COMMIT, ABORT, 1, PRODUCER_FENCED",
    "COMPLETE_ABORT, ABORT, 2, NONE",
    "COMPLETE_ABORT, ABORT, 3, PREPARE_ABORT 4",
    "COMPLETE_ABORT, COMMIT, 2, INVALID_TXN_STATE",
    "COMPLETE_ABORT, COMMIT, 3, INVALID_TXN_STATE",
  })
  void with_raised_epochs(
      TransactionState in, TransactionResult result, int epoch, String expected) {
    assertThat(outcome(unused -> end(state(in, EPOCH), V2, epoch, result))).isEqualTo(expected);
  }

  @Test
  void the_answer_has_the_epoch_to_go_on_with() {
    assertThat(
            end(state(TransactionState.ONGOING, EPOCH), V2, EPOCH, TransactionResult.COMMIT)
                .answer())
        .isEqualTo(ProducerGrant.of(ID, (short) 4));
    assertThat(
            end(state(TransactionState.COMPLETE_COMMIT, EPOCH), V2, 2, TransactionResult.COMMIT)
                .answer())
        .isEqualTo(ProducerGrant.of(ID, EPOCH));
  }

  @Test
  void the_last_epoch_is_followed_by_another_id_and_a_repeated_request_is_known() {
    int last = Short.MAX_VALUE - 1;
    Decision<ProducerGrant> ended =
        end(state(TransactionState.ONGOING, last), V2, last, TransactionResult.COMMIT);
    assertThat(ended.answer()).isEqualTo(ProducerGrant.of(100, (short) 0));
    TransactionMetadata prepared = ended.next().orElseThrow();
    assertThat(prepared.producerId()).isEqualTo(ID);
    assertThat(prepared.producerEpoch()).isEqualTo(Short.MAX_VALUE);
    assertThat(outcome(unused -> endAs(100, 0, prepared))).isEqualTo("CONCURRENT_TRANSACTIONS");
    assertThat(outcome(unused -> endAs(ID, last, prepared))).isEqualTo("CONCURRENT_TRANSACTIONS");

    TransactionMetadata complete =
        Transition.after(prepared, state -> state.prepareComplete(NOW_MS));
    assertThat(complete.producerId()).isEqualTo(100);
    assertThat(complete.producerEpoch()).isZero();
    assertThat(end(complete, V2, last, TransactionResult.COMMIT))
        .isEqualTo(Decision.stay(ProducerGrant.of(100, (short) 0)));
  }

  private Decision<ProducerGrant> endAs(long id, int epoch, TransactionMetadata state) {
    return new TransactionEnd(
            new ProducerClaim("id", id, (short) epoch),
            TransactionResult.COMMIT,
            V2,
            newIds::getAndIncrement,
            NOW_MS)
        .decide(state);
  }

  @Test
  void another_producer_id_is_refused_before_the_epoch_is_looked_at() {
    TransactionMetadata state = state(TransactionState.ONGOING, EPOCH);
    for (int epoch : new int[] {EPOCH, EPOCH - 1}) {
      assertThat(outcome(unused -> endAs(ID + 1, epoch, state)))
          .isEqualTo("INVALID_PRODUCER_ID_MAPPING");
    }
  }

  @Test
  void the_state_before_is_left_as_it_was() {
    TransactionMetadata state = state(TransactionState.ONGOING, EPOCH);
    end(state, V2, EPOCH, TransactionResult.COMMIT);
    assertThat(state).isEqualTo(state(TransactionState.ONGOING, EPOCH));
    assertThat(state.pendingState()).isEmpty();
  }
}
