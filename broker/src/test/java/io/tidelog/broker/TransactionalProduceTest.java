package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.net.RawClient;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to produce that carry batches of transactions, good and bad. */
class TransactionalProduceTest extends WithBroker {
  private static final short NEWEST = 13;

  private Topic topic;
  private TransactionClient producer;

  @BeforeEach
  void begin() throws IOException {
    topic = broker.create("topic", 3, Map.of());
    producer = new TransactionClient(broker.connect(), "id", NEWEST);
    assertThat(producer.start()).isEqualTo(Errors.NONE);
  }

  @AfterEach
  void end() throws IOException {
    producer.close();
  }

  private MemoryRecords batch(long producerId, int sequence, String value) {
    return MemoryRecords.withTransactionalRecords(
        Compression.NONE,
        producerId,
        producer.epoch(),
        sequence,
        new SimpleRecord(System.currentTimeMillis(), null, Batches.bytes(value)));
  }

  /** One batch for each partition, from 0 on. */
  private ProduceRequest request(String transactionalId, int acks, MemoryRecords... batches) {
    List<PartitionProduceData> partitions = new ArrayList<>();
    for (int i = 0; i < batches.length; i++) {
      partitions.add(new PartitionProduceData().setIndex(i).setRecords(batches[i]));
    }
    ProduceRequestData body =
        new ProduceRequestData()
            .setAcks((short) acks)
            .setTimeoutMs(10_000)
            .setTransactionalId(transactionalId);
    body.topicData()
        .add(new TopicProduceData().setTopicId(topic.id()).setPartitionData(partitions));
    return new ProduceRequest(body, NEWEST);
  }

  private List<Errors> send(ProduceRequest request) throws IOException {
    return client
        .wire()
        .call(request, ProduceResponse.class)
        .data()
        .responses()
        .iterator()
        .next()
        .partitionResponses()
        .stream()
        .map(PartitionProduceResponse::errorCode)
        .map(Errors::forCode)
        .toList();
  }

  @Test
  void one_request_adds_all_its_partitions_and_plain_batches_go_along() throws IOException {
    long id = producer.producerId();
    assertThat(send(request("id", -1, batch(id, 0, "a"), Batches.of("plain"), batch(id, 0, "b"))))
        .containsExactly(Errors.NONE, Errors.NONE, Errors.NONE);
    assertThat(broker.log(topic, 0).view().stable()).isZero();
    assertThat(broker.log(topic, 1).view().stable()).isEqualTo(1);
    assertThat(producer.commit()).isEqualTo(Errors.NONE);
    assertThat(broker.log(topic, 0).view().stable()).isEqualTo(2);
    assertThat(broker.log(topic, 2).view().stable()).isEqualTo(2);
  }

  @Test
  void batches_in_flight_together_are_written_in_order() throws IOException {
    long id = producer.producerId();
    for (int sequence = 0; sequence < 5; sequence++) {
      client.wire().send(request("id", -1, batch(id, sequence, "v" + sequence)));
    }
    for (int sequence = 0; sequence < 5; sequence++) {
      ProduceResponse answer = (ProduceResponse) client.wire().receive();
      assertThat(answer.errorCounts()).containsOnlyKeys(Errors.NONE);
    }
    assertThat(producer.commit()).isEqualTo(Errors.NONE);
    assertThat(Batches.values(client.readCommitted().fetch(topic, 0, 0)))
        .startsWith("v0", "v1", "v2", "v3", "v4");
  }

  @Test
  void two_producers_in_one_request_are_refused_as_a_whole() throws IOException {
    long id = producer.producerId();
    assertThat(
            send(request("id", -1, batch(id, 0, "a"), batch(id + 1, 0, "b"), Batches.of("plain"))))
        .containsOnly(Errors.INVALID_PRODUCER_ID_MAPPING);
    assertNothingWritten();
  }

  @Test
  void without_a_transactional_id_even_the_plain_batches_are_refused() throws IOException {
    assertThat(send(request(null, -1, batch(producer.producerId(), 0, "a"), Batches.of("plain"))))
        .containsOnly(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
    assertNothingWritten();
    try (RawClient silent = broker.connect()) {
      silent.sendUnanswered(request(null, 0, batch(producer.producerId(), 0, "a")));
      assertThat(silent.isClosedByBroker()).isTrue();
    }
    assertNothingWritten();
  }

  @Test
  void a_transactional_id_that_nobody_has_or_another_has_is_refused() throws IOException {
    MemoryRecords batch = batch(producer.producerId(), 0, "a");
    assertThat(send(request("nobody", -1, batch)))
        .containsExactly(Errors.INVALID_PRODUCER_ID_MAPPING);
    assertThat(send(request("", -1, batch))).containsExactly(Errors.INVALID_REQUEST);
    try (TransactionClient other = new TransactionClient(broker.connect(), "other", NEWEST)) {
      assertThat(other.start()).isEqualTo(Errors.NONE);
      assertThat(send(request("other", -1, batch)))
          .containsExactly(Errors.INVALID_PRODUCER_ID_MAPPING);
    }
    assertNothingWritten();
  }

  @Test
  void a_batch_of_a_transaction_that_is_over_does_not_begin_another() throws IOException {
    long id = producer.producerId();
    MemoryRecords late = batch(id, 1, "late");
    assertThat(send(request("id", -1, batch(id, 0, "a")))).containsExactly(Errors.NONE);
    assertThat(producer.commit()).isEqualTo(Errors.NONE);
    assertThat(send(request("id", -1, late))).containsExactly(Errors.INVALID_PRODUCER_EPOCH);
    assertThat(broker.log(topic, 0).view().end()).isEqualTo(2);
    assertThat(producer.add(new TopicPartition("topic", 0))).isEqualTo(Errors.NONE);
  }

  private void assertNothingWritten() {
    for (int partition = 0; partition < topic.partitionCount(); partition++) {
      assertThat(broker.log(topic, partition).view().end()).isZero();
    }
  }
}
