package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.SimBroker.HeldScheduler;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With durability fsync nobody is told of a record before the disk has it. */
class DurableAcksTest {
  /** Long enough that an answer that waits for it fails the test. */
  private static final int LONG_MS = 60_000;

  private final SimDisk disk = new SimDisk(1);
  private final HeldScheduler scheduler = new HeldScheduler();
  private TestBroker broker;
  private DataClient client;
  private Topic topic;

  @BeforeEach
  void start() throws IOException {
    broker = SimBroker.start(disk, new SimClock(), scheduler);
    client = broker.dataClient().timeoutMs(LONG_MS);
    topic = broker.create("durable", 1, Map.of("tidelog.durability", "fsync"));
  }

  @AfterEach
  void stop() throws IOException {
    scheduler.release();
    client.close();
    broker.close();
  }

  @Test
  void a_produce_that_waits_too_long_times_out_and_is_stored_all_the_same() throws IOException {
    scheduler.hold();
    for (int acks : new int[] {1, -1}) {
      PartitionProduceResponse answer =
          client.acks(acks).timeoutMs(50).produce(topic, 0, Batches.of("a"));
      assertThat(error(answer)).isEqualTo(Errors.REQUEST_TIMED_OUT);
    }
    scheduler.release();
    assertThat(client.timeoutMs(LONG_MS).produce(topic, 0, Batches.of("b")).baseOffset())
        .isEqualTo(2);
    assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("a", "a", "b");
  }

  @Test
  void a_produce_without_acks_does_not_wait() throws IOException {
    scheduler.hold();
    client.acks(0).wire().sendUnanswered(client.produceRequest(topic, 0, Batches.of("a")));
    assertThat(client.listOffsets(topic, 0, -2).errorCode()).isZero();
    assertThat(broker.log(topic, 0).view().end()).isEqualTo(1);
    assertThat(broker.log(topic, 0).view().highWatermark()).isZero();
  }

  @Test
  void readers_see_records_only_once_they_are_durable() throws IOException {
    scheduler.hold();
    try (DataClient producer = broker.dataClient().timeoutMs(LONG_MS)) {
      producer.wire().send(producer.produceRequest(topic, 0, Batches.of("a", "b")));
      assertThat(producer.wire().localPort()).isPositive();
      awaitEnd(2);
      assertThat(client.listOffsets(topic, 0, -1).offset()).isZero();
      assertEmpty(client.fetch(topic, 0, 0));
      assertEmpty(client.fetch(topic, 0, 1));
      assertEmpty(client.fetch(topic, 0, 2));
      assertThat(Errors.forCode(client.fetch(topic, 0, 3).errorCode()))
          .isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
      client.waiting(LONG_MS, 1).wire().send(client.fetchRequest(topic, 0, 0));
      scheduler.release();
      assertThat(Batches.values(received(client))).containsExactly("a", "b");
      assertThat(error(produced(producer))).isEqualTo(Errors.NONE);
    }
    assertThat(client.listOffsets(topic, 0, -1).offset()).isEqualTo(2);
  }

  @Test
  void deleting_the_topic_ends_the_wait() throws IOException {
    scheduler.hold();
    client.wire().send(client.produceRequest(topic, 0, Batches.of("a")));
    awaitEnd(1);
    broker.delete(topic);
    assertThat(error(produced(client))).isEqualTo(Errors.UNKNOWN_TOPIC_ID);
  }

  @Test
  void a_producer_that_vanishes_while_it_waits_leaves_no_trace() throws IOException {
    scheduler.hold();
    for (int i = 0; i < 5; i++) {
      DataClient vanishing = broker.dataClient();
      vanishing.wire().send(vanishing.produceRequest(topic, 0, Batches.of("a")));
      awaitEnd(i + 1);
      vanishing.wire().vanish();
    }
    scheduler.release();
    assertThat(client.produce(topic, 0, Batches.of("b")).baseOffset()).isEqualTo(5);
  }

  /** The broker has appended; each look is a request of its own. */
  private void awaitEnd(long end) throws IOException {
    try (DataClient other = broker.dataClient()) {
      while (broker.log(topic, 0).view().end() < end) {
        assertThat(other.listOffsets(topic, 0, -2).errorCode()).isZero();
      }
    }
  }

  private static void assertEmpty(PartitionData answer) {
    assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
    assertThat(Batches.records(answer)).isEmpty();
    assertThat(answer.highWatermark()).isZero();
  }

  private static PartitionData received(DataClient from) throws IOException {
    return ((FetchResponse) from.wire().receive()).data().responses().get(0).partitions().get(0);
  }

  private static PartitionProduceResponse produced(DataClient from) throws IOException {
    List<PartitionProduceResponse> partitions =
        ((ProduceResponse) from.wire().receive())
            .data()
            .responses()
            .iterator()
            .next()
            .partitionResponses();
    return partitions.get(0);
  }

  private static Errors error(PartitionProduceResponse answer) {
    return Errors.forCode(answer.errorCode());
  }
}
