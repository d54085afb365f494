package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.net.RawClient;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeProducersResponse;
import org.apache.kafka.common.requests.DescribeTransactionsResponse;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.ListTransactionsResponse;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each API of transactions at each version that is offered, in one life of a transaction. */
class TransactionApisAtEveryVersionTest {
  private static final List<ApiKeys> APIS =
      List.of(
          ApiKeys.INIT_PRODUCER_ID,
          ApiKeys.ADD_PARTITIONS_TO_TXN,
          ApiKeys.ADD_OFFSETS_TO_TXN,
          ApiKeys.TXN_OFFSET_COMMIT,
          ApiKeys.END_TXN,
          ApiKeys.WRITE_TXN_MARKERS,
          ApiKeys.DESCRIBE_PRODUCERS,
          ApiKeys.DESCRIBE_TRANSACTIONS,
          ApiKeys.LIST_TRANSACTIONS);

  @TempDir static Path directory;
  private static TestBroker broker;

  @BeforeAll
  static void start() throws IOException {
    broker =
        TestBroker.start(
            BrokerSettings.embedded(directory)
                .with("offsets.topic.num.partitions", "2")
                .with("transaction.state.log.num.partitions", "2"));
  }

  @AfterAll
  static void stop() throws IOException {
    broker.close();
  }

  /** Up to the newest version of any API, Produce included. */
  static IntStream versions() {
    return IntStream.rangeClosed(0, ApiKeys.PRODUCE.latestVersion());
  }

  @Test
  void no_version_of_these_apis_is_newer_than_the_newest_that_is_tried() {
    assertThat(APIS)
        .allSatisfy(
            api ->
                assertThat(api.latestVersion(false))
                    .isLessThanOrEqualTo(ApiKeys.PRODUCE.latestVersion()));
  }

  @ParameterizedTest
  @MethodSource("versions")
  void a_transaction_lives_from_its_first_partition_to_its_end(int version) throws IOException {
    String id = "id-" + version;
    Topic topic = broker.create("topic-" + version);
    TopicPartition partition = new TopicPartition(topic.name(), 0);
    try (TransactionClient client = client(id, version)) {
      assertThat(findCoordinator(client, id, version)).isEqualTo(Errors.NONE);
      assertThat(client.start()).isEqualTo(Errors.NONE);
      assertThat(client.epoch()).isZero();
      if (version < 12) {
        assertThat(error(client, topic, 0))
            .isEqualTo(version < 11 ? Errors.INVALID_TXN_STATE : Errors.TRANSACTION_ABORTABLE);
      }
      assertThat(client.add(new TopicPartition("nowhere", 0)))
          .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
      assertThat(client.add(partition)).isEqualTo(Errors.NONE);
      assertThat(error(client, topic, 0)).isEqualTo(Errors.NONE);
      assertThat(error(client, topic, 1)).isEqualTo(Errors.NONE);
      assertThat(client.addOffsets("group")).isEqualTo(Errors.NONE);
      assertThat(client.commitOffset("group", topic, 5)).isEqualTo(Errors.NONE);
      assertDescribed(client, id, partition);
      assertThat(client.commit()).isEqualTo(Errors.NONE);
      assertThat(client.epoch()).isEqualTo((short) (version < 5 ? 0 : 1));
      assertThat(broker.log(topic, 0).view().stable()).isEqualTo(3);
      if (version < 5) {
        assertThat(client.commit()).as("asked twice").isEqualTo(Errors.NONE);
      }
      assertThat(client.start()).isEqualTo(Errors.NONE);
    }
  }

  private static TransactionClient client(String id, int version) throws IOException {
    return new TransactionClient(RawClient.connect(broker.broker().address()), id, version);
  }

  private static Errors error(TransactionClient client, Topic topic, int sequence)
      throws IOException {
    return Errors.forCode(client.write(topic, 0, sequence, "v").errorCode());
  }

  private static Errors findCoordinator(TransactionClient client, String id, int version)
      throws IOException {
    FindCoordinatorRequestData asked = new FindCoordinatorRequestData();
    if (version >= 1) {
      asked.setKeyType((byte) 1);
    }
    if (version < 4) {
      asked.setKey(id);
    } else {
      asked.setCoordinatorKeys(List.of(id));
    }
    return Errors.forCode(
        client
            .ask(ApiKeys.FIND_COORDINATOR, asked, FindCoordinatorResponse.class)
            .coordinators()
            .get(0)
            .errorCode());
  }

  private static void assertDescribed(TransactionClient client, String id, TopicPartition partition)
      throws IOException {
    TransactionState state =
        client
            .ask(
                ApiKeys.DESCRIBE_TRANSACTIONS,
                new DescribeTransactionsRequestData().setTransactionalIds(List.of(id)),
                DescribeTransactionsResponse.class)
            .data()
            .transactionStates()
            .get(0);
    assertThat(state.transactionState()).isEqualTo("Ongoing");
    assertThat(state.producerId()).isEqualTo(client.producerId());
    assertThat(state.topics().find(partition.topic()).partitions()).containsExactly(0);
    assertThat(
            client
                .ask(
                    ApiKeys.LIST_TRANSACTIONS,
                    new ListTransactionsRequestData()
                        .setProducerIdFilters(List.of(client.producerId())),
                    ListTransactionsResponse.class)
                .data()
                .transactionStates())
        .extracting(row -> row.transactionalId())
        .containsExactly(id);
    PartitionResponse producers = producers(client, partition);
    assertThat(producers.activeProducers())
        .singleElement()
        .satisfies(
            producer -> {
              assertThat(producer.producerId()).isEqualTo(client.producerId());
              assertThat(producer.lastSequence()).isEqualTo(1);
              assertThat(producer.currentTxnStartOffset()).isZero();
            });
  }

  private static PartitionResponse producers(TransactionClient client, TopicPartition partition)
      throws IOException {
    DescribeProducersRequestData asked = new DescribeProducersRequestData();
    asked
        .topics()
        .add(
            new TopicRequest()
                .setName(partition.topic())
                .setPartitionIndexes(List.of(partition.partition())));
    return client
        .ask(ApiKeys.DESCRIBE_PRODUCERS, asked, DescribeProducersResponse.class)
        .data()
        .topics()
        .iterator()
        .next()
        .partitions()
        .get(0);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void who_is_fenced_is_told_so_in_words_that_it_knows(int version) throws IOException {
    String id = "fenced-" + version;
    Topic topic = broker.create("fenced-" + version);
    try (TransactionClient first = client(id, version);
        TransactionClient second = client(id, version)) {
      assertThat(first.start()).isEqualTo(Errors.NONE);
      assertThat(second.start()).isEqualTo(Errors.NONE);
      Errors known = version < 2 ? Errors.INVALID_PRODUCER_EPOCH : Errors.PRODUCER_FENCED;
      assertThat(first.add(new TopicPartition(topic.name(), 0))).isEqualTo(known);
      assertThat(first.addOffsets("group")).isEqualTo(known);
      assertThat(first.commit()).isEqualTo(known);
      assertThat(error(first, topic, 0)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
      assertThat(first.commitOffset("group", topic, 1)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void a_transaction_that_hangs_is_aborted_by_a_marker(int version) throws IOException {
    Topic topic = broker.create("hanging-" + version);
    TopicPartition partition = new TopicPartition(topic.name(), 0);
    Transaction hanging = new Transaction(broker.log(topic, 0), 7_000_000 + version);
    hanging.write(System.currentTimeMillis(), "left");
    try (TransactionClient client = client("marker-" + version, version)) {
      Map<TopicPartition, Errors> written =
          writeMarkers(client, 7_000_000 + version, (short) 0, topic.name());
      assertThat(written)
          .containsEntry(partition, Errors.NONE)
          .containsEntry(new TopicPartition(topic.name(), 9), Errors.UNKNOWN_TOPIC_OR_PARTITION);
      assertThat(broker.log(topic, 0).view().stable()).isEqualTo(2);
      assertThat(producers(client, new TopicPartition("a/b", 0)).errorCode())
          .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
      assertThat(producers(client, new TopicPartition("nowhere", 0)).errorCode())
          .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
      assertThat(producers(client, new TopicPartition(topic.name(), 3)).errorCode())
          .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    }
  }

  private static Map<TopicPartition, Errors> writeMarkers(
      TransactionClient client, long producerId, short epoch, String topic) throws IOException {
    return writeMarkers(client, List.of(abort(producerId, epoch, topic))).get(producerId);
  }

  private static Map<Long, Map<TopicPartition, Errors>> writeMarkers(
      TransactionClient client, List<WritableTxnMarker> markers) throws IOException {
    return client
        .ask(
            ApiKeys.WRITE_TXN_MARKERS,
            new WriteTxnMarkersRequestData().setMarkers(markers),
            WriteTxnMarkersResponse.class)
        .errorsByProducerId();
  }

  private static WritableTxnMarker abort(long producerId, short epoch, String topic) {
    return new WritableTxnMarker()
        .setProducerId(producerId)
        .setProducerEpoch(epoch)
        .setTransactionResult(false)
        .setTopics(
            List.of(
                new WritableTxnMarkerTopic().setName(topic).setPartitionIndexes(List.of(0, 9))));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void markers_of_nobody_and_markers_in_the_coordinators_own_log_are_refused(int version)
      throws IOException {
    Topic topic = broker.create("unmarked-" + version);
    try (TransactionClient client = client("unmarked-" + version, version)) {
      assertThat(writeMarkers(client, -1, (short) 0, topic.name()).values())
          .containsOnly(Errors.INVALID_PRODUCER_EPOCH);
      assertThat(writeMarkers(client, 5, (short) -1, topic.name()).values())
          .containsOnly(Errors.INVALID_PRODUCER_EPOCH);
      assertThat(broker.log(topic, 0).view().end()).isZero();
      assertThat(writeMarkers(client, 5, (short) 0, "__transaction_state").values())
          .containsOnly(Errors.INVALID_TOPIC_EXCEPTION);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_marker_of_nobody_costs_no_other_marker(int version) throws IOException {
    Topic topic = broker.create("marked-" + version);
    try (TransactionClient client = client("marked-" + version, version)) {
      List<WritableTxnMarker> markers =
          List.of(abort(7, (short) 0, topic.name()), abort(-1, (short) 0, "unknown"));
      assertThat(writeMarkers(client, markers).get(7L))
          .containsEntry(new TopicPartition(topic.name(), 0), Errors.NONE);
      assertThat(broker.log(topic, 0).view().end()).isOne();
    }
  }
}
