package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ReplicaState;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a log begins and ends, and what may not be asked. Errors are told at once. */
class FetchEdgesTest extends WithBroker {
  /** Long enough that an answer that waits for it fails the test. */
  private static final int LONG_MS = 60_000;

  private static final int SHORT_MS = 200;

  private Topic topic;

  @BeforeEach
  void fill() throws IOException {
    topic = broker.create("edges");
    for (int i = 0; i < 10; i++) {
      client.produce(topic, 0, Batches.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j"));
    }
    broker.log(topic, 0).advanceStart(50);
  }

  @Test
  void offsets_below_the_start_and_above_the_end_are_out_of_range_at_once() throws IOException {
    client.waiting(LONG_MS, 1);
    for (long offset : new long[] {49, 101, -1, 0, Long.MAX_VALUE, Long.MIN_VALUE}) {
      PartitionData answer = client.fetch(topic, 0, offset);
      assertThat(error(answer)).as("offset %d", offset).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
      assertThat(answer.highWatermark()).isEqualTo(-1);
      assertThat(Batches.records(answer)).isEmpty();
    }
  }

  @Test
  void the_first_and_the_last_record_are_answered_at_once() throws IOException {
    client.waiting(LONG_MS, 1);
    PartitionData first = client.fetch(topic, 0, 50);
    assertThat(first.logStartOffset()).isEqualTo(50);
    assertThat(Batches.offsets(first)).hasSize(50).startsWith(50L);
    assertThat(Batches.offsets(client.fetch(topic, 0, 99))).endsWith(99L);
  }

  @Test
  void the_end_is_empty_after_the_wait() throws IOException {
    client.waiting(SHORT_MS, 1);
    long before = System.nanoTime();
    PartitionData answer = client.fetch(topic, 0, 100);
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(SHORT_MS * 1_000_000L);
    assertThat(error(answer)).isEqualTo(Errors.NONE);
    assertThat(Batches.records(answer)).isEmpty();
    assertThat(answer.highWatermark()).isEqualTo(100);
  }

  @Test
  void an_empty_partition_is_waited_for_at_0_and_out_of_range_at_1() throws IOException {
    Topic empty = broker.create("empty");
    client.waiting(SHORT_MS, 1);
    assertThat(error(client.fetch(empty, 0, 0))).isEqualTo(Errors.NONE);
    client.waiting(LONG_MS, 1);
    assertThat(error(client.fetch(empty, 0, 1))).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
  }

  @Test
  void one_bad_partition_among_good_empty_ones_is_told_at_once() throws IOException {
    client.waiting(LONG_MS, 1);
    List<PartitionData> answers =
        client.fetch(client.fetchTopic(topic, List.of(client.at(0, 100), client.at(5, 0))));
    assertThat(answers)
        .extracting(FetchEdgesTest::error)
        .containsExactly(Errors.NONE, Errors.UNKNOWN_TOPIC_OR_PARTITION);
  }

  @Test
  void unknown_topics_are_told_in_the_terms_of_the_request() throws IOException {
    client.waiting(LONG_MS, 1);
    FetchTopic byId =
        new FetchTopic().setTopicId(Uuid.randomUuid()).setPartitions(List.of(client.at(0, 0)));
    assertThat(error(client.fetch(byId).get(0))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    FetchTopic byNoId = new FetchTopic().setPartitions(List.of(client.at(0, 0)));
    assertThat(error(client.fetch(byNoId).get(0))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    client.fetchVersion(12);
    FetchTopic byName =
        new FetchTopic().setTopic("nowhere").setPartitions(List.of(client.at(0, 0)));
    assertThat(error(client.fetch(byName).get(0))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
  }

  @Test
  void an_error_of_a_partition_that_is_there_comes_without_a_list_of_aborted_transactions()
      throws IOException {
    assertThat(client.fetch(topic, 0, 101).abortedTransactions()).isNull();
    assertThat(fetchWith(client.at(0, 50).setCurrentLeaderEpoch(1)).abortedTransactions()).isNull();
    assertThat(fetchWith(client.at(7, 0)).abortedTransactions()).isEmpty();
  }

  @Test
  void another_leader_epoch_is_fenced_or_unknown() throws IOException {
    client.waiting(LONG_MS, 1);
    assertThat(error(fetchWith(client.at(0, 50).setCurrentLeaderEpoch(0)))).isEqualTo(Errors.NONE);
    assertThat(error(fetchWith(client.at(0, 50).setCurrentLeaderEpoch(1))))
        .isEqualTo(Errors.UNKNOWN_LEADER_EPOCH);
  }

  @Test
  void a_reader_with_another_history_is_told_where_it_parts_from_ours() throws IOException {
    client.waiting(LONG_MS, 1);
    PartitionData same = fetchWith(client.at(0, 60).setLastFetchedEpoch(0));
    assertThat(Batches.records(same)).isNotEmpty();
    assertThat(same.divergingEpoch().epoch()).isEqualTo(-1);
    assertThat(error(fetchWith(client.at(0, 60).setLastFetchedEpoch(3))))
        .isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
  }

  @Test
  void a_fetch_in_a_session_that_is_not_there_is_told_so() throws IOException {
    FetchRequest request = client.fetchRequest(topic, 0, 50);
    request.data().setSessionId(17).setSessionEpoch(3);
    FetchResponseData answer =
        client
            .wire()
            .call(new FetchRequest(request.data(), request.version()), FetchResponse.class)
            .data();
    assertThat(answer.errorCode()).isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND.code());
    assertThat(answer.responses()).isEmpty();
  }

  @Test
  void a_last_fetch_is_answered_without_a_session() throws IOException {
    for (int session : new int[] {0, 17}) {
      FetchRequest request = client.fetchRequest(topic, 0, 50);
      request.data().setSessionId(session).setSessionEpoch(-1);
      FetchResponseData answer = client.wire().call(request, FetchResponse.class).data();
      assertThat(answer.sessionId()).isZero();
      assertThat(Batches.records(answer.responses().get(0).partitions().get(0))).isNotEmpty();
    }
  }

  @Test
  void nobody_may_fetch_as_a_replica() throws IOException {
    FetchRequest request = client.fetchRequest(topic, 0, 50);
    request.data().setReplicaState(new ReplicaState().setReplicaId(2).setReplicaEpoch(1));
    FetchResponseData answer = client.wire().call(request, FetchResponse.class).data();
    assertThat(error(answer.responses().get(0).partitions().get(0)))
        .isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER);
  }

  @Test
  void zstd_is_served_to_every_version_as_it_is() throws IOException {
    for (String type : List.of("zstd", "producer")) {
      Topic packed = broker.create("packed-" + type, 1, Map.of("compression.type", type));
      client.produce(packed, 0, Batches.of(Compression.zstd().build(), "a", "b"));
      for (int version : new int[] {4, 9, 10, 18}) {
        PartitionData answer = client.fetchVersion(version).fetch(packed, 0, 0);
        assertThat(Batches.values(answer)).as("v%d", version).containsExactly("a", "b");
      }
    }
  }

  @Test
  void an_unknown_isolation_level_is_an_invalid_request() throws IOException {
    FetchRequest request = client.fetchRequest(topic, 0, 50);
    request.data().setIsolationLevel((byte) 2);
    FetchResponseData answer = client.wire().call(request, FetchResponse.class).data();
    assertThat(answer.errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
  }

  private PartitionData fetchWith(FetchPartition partition) throws IOException {
    return client.fetch(client.fetchTopic(topic, List.of(partition))).get(0);
  }

  private static Errors error(PartitionData partition) {
    return Errors.forCode(partition.errorCode());
  }
}
