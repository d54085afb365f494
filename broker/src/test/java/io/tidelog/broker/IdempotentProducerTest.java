package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches of idempotent producers are stored once, in order, and told apart after restarts. */
class IdempotentProducerTest extends WithBroker {
  private Topic topic;
  private long producerId;

  @BeforeEach
  void prepare() throws IOException {
    topic = broker.create("once");
    producerId = init(null, -1, -1).producerId();
    assertThat(producerId).isNotNegative();
  }

  @Test
  void the_last_five_batches_are_recognised_and_others_must_follow_in_order() throws IOException {
    for (int sequence = 0; sequence < 10; sequence += 2) {
      assertStored(0, sequence, sequence);
    }
    for (int sequence = 0; sequence < 10; sequence += 2) {
      assertStored(0, sequence, sequence);
    }
    assertThat(end()).isEqualTo(10);
    assertRefused(0, 12, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
    assertStored(0, 10, 10);
    assertRefused(0, 0, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
    assertThat(end()).isEqualTo(12);
  }

  @Test
  void an_older_epoch_is_refused_and_a_newer_one_starts_at_0() throws IOException {
    assertStored(1, 0, 0);
    assertRefused(0, 2, Errors.INVALID_PRODUCER_EPOCH);
    assertRefused(2, 2, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
    assertStored(2, 0, 2);
    assertRefused(1, 2, Errors.INVALID_PRODUCER_EPOCH);
  }

  @Test
  void duplicates_are_recognised_after_a_restart() throws IOException {
    for (int sequence = 0; sequence < 10; sequence += 2) {
      assertStored(0, sequence, sequence);
    }
    restart();
    topic = broker.topics().find("once").orElseThrow();
    assertStored(0, 8, 8);
    assertThat(end()).isEqualTo(10);
    assertStored(0, 10, 10);
  }

  @Test
  void duplicates_wait_for_durability_as_the_first_time() throws IOException {
    topic = broker.create("durable", 1, java.util.Map.of("tidelog.durability", "fsync"));
    assertStored(0, 0, 0);
    assertStored(0, 0, 0);
    assertThat(broker.log(topic, 0).view().highWatermark()).isEqualTo(2);
  }

  @Test
  void half_of_an_identity_and_an_empty_transactional_id_are_refused() throws IOException {
    assertThat(error(init(null, 5, -1))).isEqualTo(Errors.INVALID_REQUEST);
    assertThat(error(init(null, -1, 5))).isEqualTo(Errors.INVALID_REQUEST);
    assertThat(error(init("", -1, -1))).isEqualTo(Errors.INVALID_REQUEST);
    InitProducerIdResponseData again = init(null, producerId, 0);
    assertThat(error(again)).isEqualTo(Errors.NONE);
    assertThat(again.producerId()).isNotEqualTo(producerId);
  }

  private void assertStored(int epoch, int sequence, long baseOffset) throws IOException {
    PartitionProduceResponse answer = produce(epoch, sequence);
    assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
    assertThat(answer.baseOffset()).isEqualTo(baseOffset);
  }

  private void assertRefused(int epoch, int sequence, Errors error) throws IOException {
    long end = end();
    assertThat(Errors.forCode(produce(epoch, sequence).errorCode())).isEqualTo(error);
    assertThat(end()).isEqualTo(end);
  }

  private PartitionProduceResponse produce(int epoch, int sequence) throws IOException {
    return client.produce(topic, 0, Batches.idempotent(producerId, epoch, sequence, "a", "b"));
  }

  private long end() {
    return broker.log(topic, 0).view().end();
  }

  private InitProducerIdResponseData init(String transactionalId, long id, int epoch)
      throws IOException {
    InitProducerIdRequestData request =
        new InitProducerIdRequestData()
            .setTransactionalId(transactionalId)
            .setTransactionTimeoutMs(60_000)
            .setProducerId(id)
            .setProducerEpoch((short) epoch);
    return client
        .wire()
        .call(
            DataClient.parsed(ApiKeys.INIT_PRODUCER_ID, request, (short) 4),
            InitProducerIdResponse.class)
        .data();
  }

  private static Errors error(InitProducerIdResponseData answer) {
    return Errors.forCode(answer.errorCode());
  }
}
