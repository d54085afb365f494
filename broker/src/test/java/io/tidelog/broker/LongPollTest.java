package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchResponse;
import org.junit.jupiter.api.Test;

/** Fetches that wait are woken by what they wait for, and by what makes waiting pointless. */
class LongPollTest extends WithBroker {
  /** Long enough that an answer that waits for it fails the test. */
  private static final int LONG_MS = 60_000;

  @Test
  void a_produce_wakes_a_waiting_fetch() throws IOException {
    Topic topic = broker.create("orders");
    client.waiting(LONG_MS, 1);
    for (int round = 0; round < 20; round++) {
      int correlation = client.wire().send(client.fetchRequest(topic, 0, round));
      assertThat(correlation).isPositive();
      produceOnAnotherConnection(topic, 0, "r" + round);
      assertThat(Batches.values(received())).containsExactly("r" + round);
    }
  }

  @Test
  void a_fetch_of_many_partitions_is_woken_by_any() throws IOException {
    Topic topic = broker.create("many", 8, Map.of());
    client.waiting(LONG_MS, 1);
    client
        .wire()
        .send(
            client.fetchRequest(
                List.of(
                    client.fetchTopic(
                        topic,
                        List.of(
                            client.at(0, 0), client.at(7, 0), client.at(3, 9), client.at(3, 0))))));
    produceOnAnotherConnection(topic, 3, "x");
    List<PartitionData> partitions = receivedAll();
    assertThat(partitions).as("the last word on a partition counts").hasSize(3);
    assertThat(Batches.values(partitions.get(2))).containsExactly("x");
    assertThat(Batches.records(partitions.get(0))).isEmpty();
  }

  @Test
  void a_fetch_waits_until_it_has_min_bytes() throws IOException {
    Topic topic = broker.create("min");
    int one = Batches.of("first").sizeInBytes();
    client.waiting(LONG_MS, 2 * one);
    client.wire().send(client.fetchRequest(topic, 0, 0));
    produceOnAnotherConnection(topic, 0, "first");
    try (DataClient impatient = broker.dataClient()) {
      assertThat(Batches.values(impatient.fetch(topic, 0, 0))).containsExactly("first");
    }
    produceOnAnotherConnection(topic, 0, "other");
    assertThat(Batches.values(received())).containsExactly("first", "other");
  }

  @Test
  void min_bytes_beyond_max_bytes_do_not_wait_for_ever() throws IOException {
    Topic topic = broker.create("beyond");
    produceOnAnotherConnection(topic, 0, "a");
    client.waiting(LONG_MS, 1_000_000).limits(10, 10);
    assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("a");
  }

  @Test
  void deleting_the_topic_wakes_its_fetches_with_the_error_for_how_they_name_it()
      throws IOException {
    Topic topic = broker.create("doomed");
    client.waiting(LONG_MS, 1);
    try (DataClient byName = broker.dataClient().fetchVersion(12).waiting(LONG_MS, 1)) {
      client.wire().send(client.fetchRequest(topic, 0, 0));
      byName.wire().send(byName.fetchRequest(topic, 0, 0));
      assertServed(topic);
      broker.delete(topic);
      assertThat(error(received())).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
      assertThat(error(receivedAll(byName).get(0))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }
    Topic again = broker.create("doomed");
    assertThat(again.id()).isNotEqualTo(topic.id());
    assertThat(error(client.fetch(topic, 0, 0))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    produceOnAnotherConnection(again, 0, "new");
    assertThat(Batches.values(client.fetch(again, 0, 0))).containsExactly("new");
  }

  @Test
  void deleting_records_past_a_waiting_fetch_tells_it() throws IOException {
    Topic topic = broker.create("cut");
    client.produce(topic, 0, Batches.of("a"));
    client.waiting(LONG_MS, 1_000);
    client.wire().send(client.fetchRequest(topic, 0, 0));
    assertServed(topic);
    broker.log(topic, 0).advanceStart(1);
    assertThat(error(received())).isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
  }

  @Test
  void a_request_behind_a_waiting_fetch_is_answered_after_it() throws IOException {
    Topic topic = broker.create("order");
    client.waiting(50, 1);
    client.wire().send(client.fetchRequest(topic, 0, 0));
    client.wire().send(client.produceRequest(topic, 0, Batches.of("own")));
    assertThat(Batches.records(received())).isEmpty();
    assertThat(client.wire().receive().errorCounts()).containsOnlyKeys(Errors.NONE);
  }

  @Test
  void fetches_whose_client_vanished_are_taken_off_the_lists() throws IOException {
    Topic topic = broker.create("gone");
    for (int i = 0; i < 10; i++) {
      DataClient vanishing = broker.dataClient().waiting(LONG_MS, 1);
      vanishing.wire().send(vanishing.fetchRequest(topic, 0, 0));
      vanishing.wire().vanish();
    }
    produceOnAnotherConnection(topic, 0, "still here");
    assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("still here");
  }

  @Test
  void stopping_the_broker_answers_waiting_fetches() throws Exception {
    Topic topic = broker.create("stop");
    client.waiting(LONG_MS, 1);
    client.wire().send(client.fetchRequest(topic, 0, 0));
    assertServed(topic);
    broker.close();
    PartitionData answer = received();
    assertThat(error(answer)).isEqualTo(Errors.NONE);
    assertThat(Batches.records(answer)).isEmpty();
  }

  /**
   * When this returns, requests that other connections sent before have been read: with one loop
   * they are served in turn.
   */
  private void assertServed(Topic topic) throws IOException {
    try (DataClient other = broker.dataClient()) {
      assertThat(other.listOffsets(topic, 0, -2).errorCode()).isZero();
    }
  }

  private void produceOnAnotherConnection(Topic topic, int partition, String value)
      throws IOException {
    try (DataClient other = broker.dataClient()) {
      assertThat(other.produce(topic, partition, Batches.of(value)).errorCode()).isZero();
    }
  }

  private PartitionData received() throws IOException {
    return receivedAll().get(0);
  }

  private List<PartitionData> receivedAll() throws IOException {
    return receivedAll(client);
  }

  private static List<PartitionData> receivedAll(DataClient from) throws IOException {
    return ((FetchResponse) from.wire().receive()).data().responses().get(0).partitions();
  }

  private static Errors error(PartitionData partition) {
    return Errors.forCode(partition.errorCode());
  }
}
