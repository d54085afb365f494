package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.net.RawClient;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.Test;

/** What producers hear back for each number of acknowledgements that they ask for. */
class AcksTest extends WithBroker {

  @Test
  void a_good_produce_without_acks_is_never_answered() throws IOException {
    Topic topic = broker.create("quiet");
    client.acks(0);
    for (int i = 0; i < 3; i++) {
      client.wire().sendUnanswered(client.produceRequest(topic, 0, Batches.of("a")));
    }
    client.acks(1);
    assertThat(client.produce(topic, 0, Batches.of("b")).baseOffset()).isEqualTo(3);
  }

  @Test
  void a_bad_produce_without_acks_closes_the_connection() throws IOException {
    Topic topic = broker.create("quiet");
    Topic unknown = new Topic("unknown", Uuid.randomUuid(), List.of());
    for (int version : new int[] {3, 12, 13}) {
      assertClosedAfter(version, unknown, 0);
      assertClosedAfter(version, topic, 1);
    }
  }

  private void assertClosedAfter(int version, Topic topic, int partition) throws IOException {
    try (RawClient wire = broker.connect()) {
      DataClient quiet = new DataClient(wire).produceVersion(version).acks(0);
      wire.sendUnanswered(quiet.produceRequest(topic, partition, Batches.of("a")));
      assertThat(wire.isClosedByBroker()).as("v%d", version).isTrue();
    }
  }

  @Test
  void a_bad_batch_without_acks_closes_the_connection() throws IOException {
    Topic topic = broker.create("quiet");
    client.acks(0);
    client
        .wire()
        .sendUnanswered(client.produceRequest(topic, 0, Batches.damaged(Batches.of("a"), 60)));
    assertThat(client.wire().isClosedByBroker()).isTrue();
    assertThat(broker.log(topic, 0).view().end()).isZero();
  }

  @Test
  void one_and_all_acks_mean_the_same_here() throws IOException {
    Topic topic = broker.create("acks");
    assertThat(client.acks(1).produce(topic, 0, Batches.of("a")).baseOffset()).isZero();
    assertThat(client.acks(-1).produce(topic, 0, Batches.of("b")).baseOffset()).isEqualTo(1);
  }

  @Test
  void any_other_number_of_acks_is_invalid_for_each_partition() throws IOException {
    Topic topic = broker.create("acks");
    for (int acks : new int[] {2, -2, Short.MAX_VALUE, Short.MIN_VALUE}) {
      PartitionProduceResponse answer = client.acks(acks).produce(topic, 0, Batches.of("a"));
      assertThat(Errors.forCode(answer.errorCode()))
          .as("acks %d", acks)
          .isEqualTo(Errors.INVALID_REQUIRED_ACKS);
      assertThat(answer.baseOffset()).isEqualTo(-1);
      assertThat(answer.logAppendTimeMs()).isEqualTo(-1);
      assertThat(answer.logStartOffset()).isEqualTo(-1);
    }
    assertThat(broker.log(topic, 0).view().end()).isZero();
  }

  @Test
  void unknown_partitions_are_told_in_the_terms_of_the_request() throws IOException {
    Topic topic = broker.create("known");
    Topic unknown = new Topic("unknown", Uuid.randomUuid(), List.of());
    assertThat(error(client.produce(unknown, 0, Batches.of("a"))))
        .isEqualTo(Errors.UNKNOWN_TOPIC_ID);
    assertThat(error(client.produce(topic, 1, Batches.of("a"))))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(error(client.produce(topic, -1, Batches.of("a"))))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    client.produceVersion(12);
    assertThat(error(client.produce(unknown, 0, Batches.of("a"))))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(error(client.produce(topic, 1, Batches.of("a"))))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
  }

  @Test
  void a_client_without_a_name_is_served() throws IOException {
    Topic topic = broker.create("nameless");
    client.wire().as(null);
    assertThat(client.produce(topic, 0, Batches.of("a")).errorCode()).isZero();
    assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("a");
    client.wire().as("");
    assertThat(client.produce(topic, 0, Batches.of("b")).errorCode()).isZero();
  }

  @Test
  void topics_with_append_time_answer_with_the_time() throws IOException {
    Topic topic = broker.create("stamped", 1, Map.of("message.timestamp.type", "LogAppendTime"));
    long before = System.currentTimeMillis();
    PartitionProduceResponse answer = client.produce(topic, 0, Batches.of("a", "b"));
    assertThat(answer.logAppendTimeMs()).isBetween(before, System.currentTimeMillis());
    assertThat(Batches.records(client.fetch(topic, 0, 0)))
        .allSatisfy(record -> assertThat(record.timestamp()).isEqualTo(answer.logAppendTimeMs()));
  }

  @Test
  void with_fsync_the_answer_comes_when_the_high_watermark_has_passed_the_batch()
      throws IOException {
    Topic topic = broker.create("durable", 1, Map.of("tidelog.durability", "fsync"));
    for (int i = 0; i < 20; i++) {
      assertThat(client.produce(topic, 0, Batches.of("a", "b")).baseOffset()).isEqualTo(2L * i);
      assertThat(broker.log(topic, 0).view().highWatermark()).isEqualTo(2L * (i + 1));
    }
  }

  @Test
  void pipelined_durable_produces_are_answered_in_order() throws IOException {
    Topic topic = broker.create("durable", 1, Map.of("tidelog.durability", "fsync"));
    for (int i = 0; i < 50; i++) {
      client.wire().send(client.produceRequest(topic, 0, Batches.of("a")));
    }
    for (int i = 0; i < 50; i++) {
      ProduceResponse answer = (ProduceResponse) client.wire().receive();
      PartitionProduceResponse partition =
          answer.data().responses().iterator().next().partitionResponses().get(0);
      assertThat(partition.baseOffset()).isEqualTo(i);
    }
  }

  private static Errors error(PartitionProduceResponse answer) {
    return Errors.forCode(answer.errorCode());
  }
}
