package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.transaction.TransactionMetadata;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may add partitions in each state, and who may ask for them, as Kafka's coordinator does. */
class TransactionMembershipTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  /** Of producer 7 in epoch 3. */
  private static TransactionMetadata state(TransactionState in) {
    return new TransactionMetadata(
        "id",
        7,
        7,
        -1,
        (short) 3,
        (short) 2,
        60_000,
        in,
        in == TransactionState.ONGOING ? Set.of(PARTITION) : Set.of(),
        in == TransactionState.EMPTY ? -1 : 500,
        500,
        TransactionVersion.TV_2);
  }

  private static TransactionMembership members(long id, int epoch) {
    return new TransactionMembership(new ProducerClaim("id", id, (short) epoch), Set.of(PARTITION));
  }

  private static Errors outcome(Supplier<Errors> question) {
    try {
      return question.get();
    } catch (ApiException refused) {
      return Errors.forException(refused);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "EMPTY, 7, 3, NONE",
    "EMPTY, 7, 2, PRODUCER_FENCED",
    "EMPTY, 8, 0, INVALID_PRODUCER_ID_MAPPING",
    "ONGOING, 7, 3, NONE",
    "ONGOING, 7, 4, PRODUCER_FENCED",
    "ONGOING, 8, 3, INVALID_PRODUCER_ID_MAPPING",
    "PREPARE_COMMIT, 7, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_COMMIT, 7, 2, CONCURRENT_TRANSACTIONS",
    "PREPARE_COMMIT, 8, 0, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, 7, 2, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, 8, 0, CONCURRENT_TRANSACTIONS",
    "COMPLETE_COMMIT, 7, 3, NONE",
    "COMPLETE_COMMIT, 8, 0, INVALID_PRODUCER_ID_MAPPING",
    "COMPLETE_ABORT, 7, 2, PRODUCER_FENCED",
  })
  void adding(TransactionState in, long id, int epoch, Errors expected) {
    assertThat(
            outcome(
                () -> members(id, epoch).add(state(in), TransactionVersion.TV_2, 1_000).answer()))
        .isEqualTo(expected);
  }

  /** Kafka looks at the producer first here, also while the transaction is being completed. */
  @ParameterizedTest
  @CsvSource({
    "ONGOING, 7, 3, NONE",
    "EMPTY, 7, 3, TRANSACTION_ABORTABLE",
    "ONGOING, 7, 2, PRODUCER_FENCED",
    "PREPARE_COMMIT, 7, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_COMMIT, 7, 2, PRODUCER_FENCED",
    "PREPARE_ABORT, 7, 3, CONCURRENT_TRANSACTIONS",
    "PREPARE_ABORT, 8, 3, INVALID_PRODUCER_ID_MAPPING",
    "COMPLETE_COMMIT, 7, 3, TRANSACTION_ABORTABLE",
  })
  void verifying(TransactionState in, long id, int epoch, Errors expected) {
    Supplier<Errors> question =
        () -> {
          Map<TopicPartition, Errors> answers = members(id, epoch).verify(state(in));
          return answers.get(PARTITION);
        };
    assertThat(outcome(question)).isEqualTo(expected);
  }
}
