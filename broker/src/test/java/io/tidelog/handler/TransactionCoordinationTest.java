package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.coordinator.ProducerClaim;
import io.tidelog.coordinator.ProducerGrant;
import io.tidelog.coordinator.StartingProducer;
import io.tidelog.log.LogView;
import io.tidelog.log.ReadUpTo;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.ListTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of transactions under a clock that the test moves. */
class TransactionCoordinationTest {
  private static final int CHECK_MS = 10_000;

  @TempDir Path directory;
  private GroupServer server;
  private Topic topic;
  private TransactionalProducer producer;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.start(directory);
    topic = server.createTopic("topic", 2);
    producer = new TransactionalProducer(server, "id");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private LogView view(int partition) {
    return topic.partition(partition).orElseThrow().log().view();
  }

  /** A transaction is complete soon after its end is answered. */
  private void awaitState(String expected) {
    server.await(() -> producer.state().equals(expected));
  }

  private void restart() throws IOException {
    server = server.restart();
    topic = server.topics.find("topic").orElseThrow();
    producer = producer.at(server);
  }

  @Test
  void a_commit_moves_the_last_stable_offset_of_every_partition() throws IOException {
    producer.start();
    producer.write(topic, 0, "a");
    producer.write(topic, 0, "b");
    producer.write(topic, 1, "c");
    assertThat(producer.state()).isEqualTo("Ongoing");
    assertThat(producer.describe().topics().find("topic").partitions())
        .containsExactlyInAnyOrder(0, 1);
    assertThat(view(0).stable()).isZero();

    assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NONE);
    assertThat(view(0).stable()).isEqualTo(3);
    assertThat(view(1).stable()).isEqualTo(2);
    awaitState("CompleteCommit");
  }

  @Test
  void the_next_transaction_need_not_wait_for_the_markers_of_the_one_before() throws IOException {
    producer.start();
    for (int i = 0; i < 20; i++) {
      assertThat(producer.write(topic, 0, "v" + i)).isEqualTo(Errors.NONE);
      assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NONE);
    }
    assertThat(view(0).stable()).isEqualTo(40);
  }

  @Test
  void a_transaction_that_is_open_for_too_long_is_aborted_and_its_producer_fenced()
      throws IOException {
    producer.start();
    producer.write(topic, 0, "slow");
    server.time.advanceMs(TransactionalProducer.TIMEOUT_MS);
    assertThat(producer.state()).isEqualTo("Ongoing");
    server.time.advanceMs(CHECK_MS);
    awaitState("CompleteAbort");
    assertThat(view(0).stable()).isEqualTo(2);
    assertThat(
            server
                .topics
                .find("topic")
                .flatMap(found -> found.partition(0))
                .orElseThrow()
                .log()
                .read(0, 1 << 20, ReadUpTo.LAST_STABLE_OFFSET)
                .aborted())
        .hasSize(1);
    assertThat(producer.write(topic, 1, "late")).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    assertThat(producer.end(TransactionResult.COMMIT))
        .as("it is told that its transaction is over")
        .isEqualTo(Errors.INVALID_TXN_STATE);
  }

  @Test
  void a_transactional_id_that_nobody_uses_is_forgotten_also_after_a_restart() throws IOException {
    producer.start();
    producer.write(topic, 0, "a");
    producer.end(TransactionResult.COMMIT);
    awaitState("CompleteCommit");
    server.time.advanceMs(TimeUnit.DAYS.toMillis(7) - TimeUnit.HOURS.toMillis(1));
    assertThat(producer.state()).isEqualTo("CompleteCommit");
    server.time.advanceMs(TimeUnit.HOURS.toMillis(2));
    awaitState("TRANSACTIONAL_ID_NOT_FOUND");
    restart();
    assertThat(producer.state()).isEqualTo("TRANSACTIONAL_ID_NOT_FOUND");
  }

  @Test
  void a_transaction_that_is_open_is_not_forgotten() throws IOException {
    server.close();
    server =
        GroupServer.start(
            directory,
            Map.of(
                "transactional.id.expiration.ms",
                "1000",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms",
                "2000000000"));
    topic = server.topics.find("topic").orElseThrow();
    producer = new TransactionalProducer(server, "id");
    producer.start();
    producer.write(topic, 0, "a");
    server.time.advanceMs(TimeUnit.HOURS.toMillis(2));
    assertThat(producer.state()).isEqualTo("Ongoing");
  }

  @Test
  void every_state_is_known_after_a_restart() throws IOException {
    producer.start();
    restart();
    assertThat(producer.state()).isEqualTo("Empty");
    producer.write(topic, 0, "a");
    restart();
    assertThat(producer.state()).isEqualTo("Ongoing");
    assertThat(view(0).stable()).isZero();
    assertThat(producer.write(topic, 0, "b")).isEqualTo(Errors.NONE);
    assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NONE);
    restart();
    awaitState("CompleteCommit");
    assertThat(view(0).stable()).isEqualTo(3);
    producer.write(topic, 0, "c");
    producer.end(TransactionResult.ABORT);
    restart();
    awaitState("CompleteAbort");
  }

  @Test
  void a_transaction_left_open_is_aborted_in_time_although_nobody_asks_after_the_restart()
      throws IOException {
    producer.start();
    producer.write(topic, 0, "a");
    restart();
    server.transactions.resume();
    server.join(server.transactions.ready());
    server.time.advanceMs(TransactionalProducer.TIMEOUT_MS + CHECK_MS);
    server.await(() -> view(0).stable() == 2);
  }

  @Test
  void a_partition_that_is_deleted_meanwhile_does_not_keep_a_transaction_open() throws IOException {
    Topic gone = server.createTopic("gone", 1);
    producer.start();
    producer.write(topic, 0, "a");
    producer.write(gone, 0, "b");
    server.deleteTopic("gone");
    assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NONE);
    awaitState("CompleteCommit");
    assertThat(view(0).stable()).isEqualTo(2);
  }

  @Test
  void a_marker_that_is_not_yet_durable_holds_the_transaction_back() throws IOException {
    Topic durable = createDurable("durable");
    producer.start();
    producer.write(durable, 0, "a");
    server.time.advanceMs(0);
    ProducerClaim claim = producer.claim();
    ProducerGrant answer =
        server
            .transactions
            .end(claim, TransactionResult.COMMIT, TransactionVersion.TV_2)
            .orTimeout(20, TimeUnit.SECONDS)
            .join();
    assertThat(answer.error()).as("the decision itself is committed").isEqualTo(Errors.NONE);
    server.await(() -> durable.partition(0).orElseThrow().log().view().end() == 2);
    assertThat(stateWithoutTime()).isEqualTo("PrepareCommit");
    server.time.advanceMs(0);
    server.await(() -> stateWithoutTime().equals("CompleteCommit"));
  }

  private Topic createDurable(String name) {
    server.join(
        server
            .topics
            .admin()
            .create(
                List.of(
                    io.tidelog.topic.NewTopic.named(name)
                        .withPartitions(1)
                        .withConfigs(Map.of("tidelog.durability", "fsync"))),
                io.tidelog.topic.TopicAdmin.Intent.CARRY_OUT));
    return server.topics.find(name).orElseThrow();
  }

  private String stateWithoutTime() {
    return server
        .transactions
        .describe("id")
        .orTimeout(20, TimeUnit.SECONDS)
        .join()
        .transactionState();
  }

  @Test
  void a_list_can_be_filtered_by_everything() throws IOException {
    producer.start();
    producer.write(topic, 0, "a");
    server.time.advanceMs(5_000);
    TransactionalProducer other = new TransactionalProducer(server, "other");
    other.start();
    assertThat(list(new ListTransactionsRequestData())).containsExactly("id", "other");
    assertThat(list(new ListTransactionsRequestData().setStateFilters(List.of("Ongoing"))))
        .containsExactly("id");
    assertThat(
            list(
                new ListTransactionsRequestData()
                    .setProducerIdFilters(List.of(other.claim().producerId()))))
        .containsExactly("other");
    assertThat(list(new ListTransactionsRequestData().setDurationFilter(4_999))).contains("id");
    assertThat(
            list(
                new ListTransactionsRequestData()
                    .setStateFilters(List.of("Ongoing"))
                    .setDurationFilter(5_000)))
        .isEmpty();
    assertThat(list(new ListTransactionsRequestData().setTransactionalIdPattern("o.*")))
        .containsExactly("other");
    assertThat(
            server
                .join(
                    server.transactions.list(
                        new ListTransactionsRequestData().setStateFilters(List.of("Asleep"))))
                .unknownStateFilters())
        .containsExactly("Asleep");
    assertThat(
            server
                .join(
                    server.transactions.list(
                        new ListTransactionsRequestData().setTransactionalIdPattern("(")))
                .errorCode())
        .isEqualTo(Errors.INVALID_REGULAR_EXPRESSION.code());
  }

  private List<String> list(ListTransactionsRequestData filter) {
    ListTransactionsResponseData answer = server.join(server.transactions.list(filter));
    assertThat(answer.errorCode()).isZero();
    return answer.transactionStates().stream()
        .map(TransactionState::transactionalId)
        .sorted()
        .toList();
  }

  @Test
  void nothing_is_created_by_questions_and_bad_requests() {
    ProducerClaim nobody = new ProducerClaim("id", 1, (short) 0);
    TopicPartition partition = new TopicPartition("topic", 0);
    assertThat(list(new ListTransactionsRequestData())).isEmpty();
    assertThat(producer.state()).isEqualTo("NOT_COORDINATOR");
    assertThat(
            server
                .join(
                    server.transactions.end(
                        nobody, TransactionResult.COMMIT, TransactionVersion.TV_2))
                .error())
        .isEqualTo(Errors.NOT_COORDINATOR);
    assertThat(
            server.join(
                server.transactions.addPartitions(
                    nobody, Set.of(partition), TransactionVersion.TV_0)))
        .isEqualTo(Errors.NOT_COORDINATOR);
    assertThat(startWith("", 1_000)).isEqualTo(Errors.INVALID_REQUEST);
    assertThat(startWith("id", 0)).isEqualTo(Errors.INVALID_TRANSACTION_TIMEOUT);
    assertThat(startWith("id", 900_001)).isEqualTo(Errors.INVALID_TRANSACTION_TIMEOUT);
    assertThat(server.topics.find("__transaction_state")).isEmpty();
    assertThat(startWith("id", 900_000)).isEqualTo(Errors.NONE);
    assertThat(server.topics.find("__transaction_state").orElseThrow().partitionCount())
        .isEqualTo(2);
  }

  private Errors startWith(String id, int timeoutMs) {
    return server
        .join(server.transactions.start(new StartingProducer(id, timeoutMs, Optional.empty())))
        .error();
  }

  @Test
  void what_was_never_added_is_not_verified() throws IOException {
    producer.start();
    producer.write(topic, 0, "a");
    TopicPartition added = new TopicPartition("topic", 0);
    TopicPartition other = new TopicPartition("topic", 1);
    assertThat(server.join(server.transactions.verify(producer.claim(), Set.of(added, other))))
        .containsEntry(added, Errors.NONE)
        .containsEntry(other, Errors.TRANSACTION_ABORTABLE);
    ProducerClaim stranger = new ProducerClaim("stranger", 1, (short) 0);
    assertThat(server.join(server.transactions.verify(stranger, Set.of(added))))
        .containsEntry(added, Errors.INVALID_PRODUCER_ID_MAPPING);
  }
}
