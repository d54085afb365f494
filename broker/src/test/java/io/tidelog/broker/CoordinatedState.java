package io.tidelog.broker;

import io.tidelog.net.RawClient;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTransactionsResponse;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.OffsetFetchResponse;

/**
 * What the coordinators say of groups and transactional ids: the committed offset, or producer and
 * state; "nothing" or an error's name where they have none.
 */
final class CoordinatedState {
  static final List<String> GROUPS = List.of("group-0", "group-1");
  static final List<String> TRANSACTIONAL_IDS = List.of("id-0", "id-1");
  static final int COMMITS = 3;
  static final String NOTHING = "nothing";

  private static final long PATIENCE_NANOS = 20_000_000_000L;
  private static final short OFFSETS_BY_NAME = 8;

  private CoordinatedState() {}

  /** The n-th offset that a group commits. */
  static long offset(String group, int commit) {
    return 100L * GROUPS.indexOf(group) + 7L * commit + 1;
  }

  /** Has each group commit several times, and each transactional id commit a transaction. */
  static void write(TestBroker broker, Topic topic) throws IOException {
    try (RawClient wire = broker.connect()) {
      for (int commit = 0; commit < COMMITS; commit++) {
        for (String group : GROUPS) {
          OffsetCommitRequestData request = commitOf(topic, group, offset(group, commit));
          require(patiently(() -> commit(wire, request)), Errors.NONE.name());
        }
      }
      for (String id : TRANSACTIONAL_IDS) {
        transact(broker, id, topic);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!transaction(wire, id).endsWith("CompleteCommit")) {
          require(Boolean.toString(System.nanoTime() < deadline), "true");
        }
      }
    }
  }

  private static void transact(TestBroker broker, String id, Topic topic) throws IOException {
    try (TransactionClient client = new TransactionClient(broker.connect(), id, 3)) {
      require(client.start().name(), Errors.NONE.name());
      require(client.add(new TopicPartition(topic.name(), 0)).name(), Errors.NONE.name());
      require(client.commit().name(), Errors.NONE.name());
    }
  }

  private static void require(String found, String expected) {
    if (!found.equals(expected)) {
      throw new AssertionError(found + " instead of " + expected);
    }
  }

  /** What they say now. */
  static Map<String, String> of(TestBroker broker, Topic topic) throws IOException {
    Map<String, String> said = new TreeMap<>();
    try (RawClient wire = broker.connect()) {
      for (String group : GROUPS) {
        said.put(group, patiently(() -> committed(wire, topic, group)));
      }
      for (String id : TRANSACTIONAL_IDS) {
        said.put(id, patiently(() -> transaction(wire, id)));
      }
    }
    return said;
  }

  private interface Question {
    String ask() throws IOException;
  }

  /** Asks again while a coordinator is still reading its log. */
  private static String patiently(Question question) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    String answer = question.ask();
    while ((answer.equals(Errors.COORDINATOR_LOAD_IN_PROGRESS.name())
            || answer.equals(Errors.NOT_COORDINATOR.name()))
        && System.nanoTime() < deadline) {
      Thread.onSpinWait();
      answer = question.ask();
    }
    return answer;
  }

  private static OffsetCommitRequestData commitOf(Topic topic, String group, long offset) {
    return new OffsetCommitRequestData()
        .setGroupId(group)
        .setTopics(
            List.of(
                new OffsetCommitRequestTopic()
                    .setName(topic.name())
                    .setPartitions(
                        List.of(
                            new OffsetCommitRequestPartition()
                                .setPartitionIndex(0)
                                .setCommittedOffset(offset)))));
  }

  private static String commit(RawClient wire, OffsetCommitRequestData request) throws IOException {
    return Errors.forCode(
            wire.call(
                    DataClient.parsed(ApiKeys.OFFSET_COMMIT, request, OFFSETS_BY_NAME),
                    OffsetCommitResponse.class)
                .data()
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode())
        .name();
  }

  private static String committed(RawClient wire, Topic topic, String group) throws IOException {
    OffsetFetchRequestData request =
        new OffsetFetchRequestData()
            .setGroups(
                List.of(
                    new OffsetFetchRequestGroup()
                        .setGroupId(group)
                        .setTopics(
                            List.of(
                                new OffsetFetchRequestTopics()
                                    .setName(topic.name())
                                    .setPartitionIndexes(List.of(0))))));
    OffsetFetchResponseGroup answer =
        wire.call(
                DataClient.parsed(ApiKeys.OFFSET_FETCH, request, OFFSETS_BY_NAME),
                OffsetFetchResponse.class)
            .data()
            .groups()
            .get(0);
    if (answer.errorCode() != Errors.NONE.code()) {
      return Errors.forCode(answer.errorCode()).name();
    }
    long offset = answer.topics().get(0).partitions().get(0).committedOffset();
    return offset < 0 ? NOTHING : Long.toString(offset);
  }

  private static String transaction(RawClient wire, String id) throws IOException {
    DescribeTransactionsRequestData request =
        new DescribeTransactionsRequestData().setTransactionalIds(List.of(id));
    TransactionState state =
        wire.call(
                DataClient.parsed(ApiKeys.DESCRIBE_TRANSACTIONS, request, (short) 0),
                DescribeTransactionsResponse.class)
            .data()
            .transactionStates()
            .get(0);
    Errors error = Errors.forCode(state.errorCode());
    if (error == Errors.TRANSACTIONAL_ID_NOT_FOUND) {
      return NOTHING;
    }
    return error == Errors.NONE
        ? "producer %d epoch %d %s"
            .formatted(state.producerId(), state.producerEpoch(), state.transactionState())
        : error.name();
  }
}
