package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.coordinator.ProducerClaim;
import io.tidelog.coordinator.ProducerGrant;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogView;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AddOffsetsToTxnResponse;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ends of transactions that were decided but could not be carried out at once. */
class TransactionTroubleTest {
  private static final long PLENTY = 1L << 40;

  private final SimDisk disk = new SimDisk(1);
  private GroupServer server;
  private Topic topic;
  private TransactionalProducer producer;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.startOn(disk, Path.of("/data"), Map.of());
    topic = server.createTopic("topic", 2);
    producer = new TransactionalProducer(server, "id");
    producer.start();
  }

  @AfterEach
  void stop() throws IOException {
    disk.heal();
    disk.limitSpace(PLENTY);
    server.close();
    disk.close();
  }

  private void restart() throws IOException {
    server = server.restart();
    topic = server.topics.find("topic").orElseThrow();
    producer = producer.at(server);
  }

  private LogView view(int partition) {
    return topic.partition(partition).orElseThrow().log().view();
  }

  /** Writes the decision as if the broker had been killed right after it. */
  private void decide(TransactionState prepared, TransactionVersion version) throws IOException {
    ProducerClaim claim = producer.claim();
    boolean raises = version.supportsEpochBump();
    TxnTransitMetadata decision =
        new TxnTransitMetadata(
            claim.producerId(),
            claim.producerId(),
            -1,
            (short) (claim.producerEpoch() + (raises ? 1 : 0)),
            claim.producerEpoch(),
            60_000,
            prepared,
            new HashSet<>(Set.of(new TopicPartition("topic", 0), new TopicPartition("topic", 1))),
            server.time.millis(),
            server.time.millis(),
            version);
    Topic states = server.topics.find("__transaction_state").orElseThrow();
    int index = Utils.abs("id".hashCode()) % states.partitionCount();
    Partition partition = states.partition(index).orElseThrow();
    MemoryRecords batch =
        MemoryRecords.withRecords(
            Compression.NONE,
            new SimpleRecord(
                server.time.millis(),
                TransactionLog.keyToBytes("id"),
                TransactionLog.valueToBytes(decision, TransactionVersion.TV_2)));
    partition.log().append(batch.buffer(), partition.leaderEpoch(), AppendSource.COORDINATOR);
  }

  @ParameterizedTest
  @EnumSource(
      value = TransactionVersion.class,
      names = {"TV_0", "TV_2"})
  void what_was_decided_before_a_stop_is_carried_out_by_the_next_start(TransactionVersion version)
      throws IOException {
    producer.write(topic, 0, "a");
    producer.write(topic, 1, "b");
    decide(TransactionState.PREPARE_COMMIT, version);
    restart();
    assertThat(view(0).stable()).isZero();
    server.transactions.resume();
    server.await(() -> view(0).stable() == 2 && view(1).stable() == 2);
    server.await(() -> producer.state().equals("CompleteCommit"));
    assertThat(CommittedView.committed(topic.partition(0).orElseThrow().log(), 0, 1 << 20))
        .containsValue("a");
  }

  @Test
  void an_abort_that_was_decided_before_a_stop_is_carried_out_too() throws IOException {
    producer.write(topic, 0, "a");
    producer.write(topic, 1, "b");
    decide(TransactionState.PREPARE_ABORT, TransactionVersion.TV_2);
    restart();
    server.transactions.resume();
    server.await(() -> producer.state().equals("CompleteAbort"));
    assertThat(view(0).stable()).isEqualTo(2);
    assertThat(CommittedView.committed(topic.partition(0).orElseThrow().log(), 0, 1 << 20))
        .isEmpty();
  }

  @Test
  void a_marker_that_a_failing_disk_refuses_is_written_when_it_can_be() throws IOException {
    producer.write(topic, 0, "a");
    producer.write(topic, 1, "b");
    disk.failWhen(call -> call.path().toString().contains("topic-1"));
    assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NONE);
    server.await(() -> view(0).stable() == 2);
    server.time.advanceMs(1_000);
    assertThat(producer.state()).isEqualTo("PrepareCommit");
    assertThat(view(1).stable()).isZero();
    assertThat(producer.write(topic, 0, "too early")).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    disk.heal();
    server.time.advanceMs(1_000);
    server.await(() -> producer.state().equals("CompleteCommit"));
    assertThat(view(1).stable()).isEqualTo(2);
    assertThat(view(0).end()).as("no marker is written twice").isEqualTo(2);
  }

  @Test
  void a_marker_that_a_closed_log_cannot_take_fails_and_does_not_throw() throws IOException {
    topic.partition(0).orElseThrow().log().close();
    EndTransactionMarker marker =
        new EndTransactionMarker(7, (short) 0, 0, Outcome.COMMIT, TransactionProtocol.V2);
    assertThat(server.transactions.writeMarker(new TopicPartition("topic", 0), marker))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(KafkaStorageException.class);
  }

  @Test
  void a_decision_that_finds_no_room_is_not_taken_and_the_next_one_is() throws IOException {
    producer.write(topic, 0, "a");
    disk.limitSpace(0);
    assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NOT_COORDINATOR);
    assertThat(producer.state()).isEqualTo("Ongoing");
    disk.limitSpace(PLENTY);
    assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NONE);
    assertThat(view(0).stable()).isEqualTo(2);
  }

  @Test
  void offsets_of_an_open_transaction_outlive_a_restart_and_count_once_it_is_committed()
      throws IOException {
    commitOffsetInTransaction(5);
    assertThat(offsetError()).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
    restart();
    assertThat(offsetError()).isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT);
    assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NONE);
    server.await(() -> producer.state().equals("CompleteCommit"));
    assertThat(Offsets.of(server, "group").committed(topic, 0)).isEqualTo(5);
    restart();
    assertThat(Offsets.of(server, "group").committed(topic, 0)).isEqualTo(5);
  }

  /** Of a fetch of the offset by somebody who wants to wait for transactions to end. */
  private Errors offsetError() {
    return Errors.forCode(
        Offsets.of(server, "group")
            .fetch(List.of(Offsets.wanted(topic, 0)))
            .group("group")
            .topics()
            .get(0)
            .partitions()
            .get(0)
            .errorCode());
  }

  private void commitOffsetInTransaction(long offset) {
    ProducerClaim claim = producer.claim();
    assertThat(
            ask(
                    ApiKeys.ADD_OFFSETS_TO_TXN,
                    4,
                    new AddOffsetsToTxnRequestData()
                        .setTransactionalId("id")
                        .setProducerId(claim.producerId())
                        .setProducerEpoch(claim.producerEpoch())
                        .setGroupId("group"),
                    AddOffsetsToTxnResponse.class)
                .errorCounts())
        .containsOnlyKeys(Errors.NONE);
    assertThat(
            ask(
                    ApiKeys.TXN_OFFSET_COMMIT,
                    4,
                    new TxnOffsetCommitRequestData()
                        .setTransactionalId("id")
                        .setGroupId("group")
                        .setProducerId(claim.producerId())
                        .setProducerEpoch(claim.producerEpoch())
                        .setTopics(
                            List.of(
                                new TxnOffsetCommitRequestTopic()
                                    .setName("topic")
                                    .setPartitions(
                                        List.of(
                                            new TxnOffsetCommitRequestPartition()
                                                .setPartitionIndex(0)
                                                .setCommittedOffset(offset))))),
                    TxnOffsetCommitResponse.class)
                .errorCounts())
        .containsOnlyKeys(Errors.NONE);
  }

  private <T extends org.apache.kafka.common.requests.AbstractResponse> T ask(
      ApiKeys api, int version, org.apache.kafka.common.protocol.ApiMessage body, Class<T> type) {
    AbstractRequest request =
        AbstractRequest.parseRequest(
                api, (short) version, MessageUtil.toByteBufferAccessor(body, (short) version))
            .request;
    return server.ask(request, type);
  }

  @Test
  void a_coordinator_that_was_deleted_with_its_topic_begins_anew() throws IOException {
    producer.write(topic, 0, "a");
    producer.end(TransactionResult.COMMIT);
    server.await(() -> producer.state().equals("CompleteCommit"));
    server.deleteTopic("__transaction_state");
    assertThat(producer.state()).isEqualTo("NOT_COORDINATOR");
    ProducerGrant again = producer.start();
    assertThat(again.error()).isEqualTo(Errors.NONE);
    assertThat(producer.write(topic, 1, "b")).isEqualTo(Errors.NONE);
    assertThat(producer.end(TransactionResult.COMMIT)).isEqualTo(Errors.NONE);
    assertThat(view(1).stable()).isEqualTo(2);
  }
}
