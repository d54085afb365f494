package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteRecordsResponse;
import org.junit.jupiter.api.Test;

/** The start of a log moves up where it may, stays moved, and cuts no batch. */
class DeleteRecordsTest extends WithBroker {

  @Test
  void the_start_moves_up_and_never_down() throws IOException {
    Topic topic = broker.create("orders");
    client.produce(topic, 0, Batches.sized(100, 10));
    assertResult(delete("orders", 50), Errors.NONE, 50);
    assertResult(delete("orders", 30), Errors.NONE, 50);
    assertThat(client.listOffsets(topic, 0, -2).offset()).isEqualTo(50);
    assertResult(delete("orders", -1), Errors.NONE, 100);
    assertResult(delete("orders", 10_000), Errors.OFFSET_OUT_OF_RANGE, -1);
    assertResult(delete("orders", -2), Errors.OFFSET_OUT_OF_RANGE, -1);
    assertThat(client.listOffsets(topic, 0, -2).offset()).isEqualTo(100);
  }

  @Test
  void a_batch_that_holds_the_start_is_still_fetched_whole() throws IOException {
    Topic topic = broker.create("orders");
    client.produce(topic, 0, Batches.sized(100, 10));
    delete("orders", 50);
    assertThat(Batches.offsets(client.fetch(topic, 0, 50))).hasSize(100).startsWith(0L);
    assertThat(Errors.forCode(client.fetch(topic, 0, 49).errorCode()))
        .isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
  }

  @Test
  void the_new_start_is_there_after_a_restart() throws IOException {
    client.produce(broker.create("orders"), 0, Batches.sized(100, 10));
    delete("orders", 50);
    restart();
    Topic topic = broker.topics().find("orders").orElseThrow();
    assertThat(client.listOffsets(topic, 0, -2).offset()).isEqualTo(50);
    assertThat(client.produce(topic, 0, Batches.of("next")).baseOffset()).isEqualTo(100);
  }

  @Test
  void topics_that_are_only_compacted_keep_their_records() throws IOException {
    broker.create("compacted", 1, Map.of("cleanup.policy", "compact"));
    broker.create("both", 1, Map.of("cleanup.policy", "compact,delete"));
    assertResult(delete("compacted", 0), Errors.POLICY_VIOLATION, -1);
    assertResult(delete("both", 0), Errors.NONE, 0);
  }

  @Test
  void internal_and_unknown_topics_are_refused() throws IOException {
    TestBroker.await(broker.topics().findOrCreate("__consumer_offsets"));
    assertResult(delete("__consumer_offsets", 0), Errors.INVALID_TOPIC_EXCEPTION, -1);
    assertResult(delete("nowhere", 0), Errors.UNKNOWN_TOPIC_OR_PARTITION, -1);
  }

  private static void assertResult(
      DeleteRecordsPartitionResult result, Errors error, long lowWatermark) {
    assertThat(Errors.forCode(result.errorCode())).isEqualTo(error);
    assertThat(result.lowWatermark()).isEqualTo(lowWatermark);
  }

  private DeleteRecordsPartitionResult delete(String topic, long offset) throws IOException {
    DeleteRecordsRequestData request =
        new DeleteRecordsRequestData()
            .setTimeoutMs(10_000)
            .setTopics(
                List.of(
                    new DeleteRecordsTopic()
                        .setName(topic)
                        .setPartitions(
                            List.of(
                                new DeleteRecordsPartition()
                                    .setPartitionIndex(0)
                                    .setOffset(offset)))));
    DeleteRecordsResponse response =
        client
            .wire()
            .call(
                DataClient.parsed(ApiKeys.DELETE_RECORDS, request, (short) 2),
                DeleteRecordsResponse.class);
    return response.data().topics().find(topic).partitions().find(0);
  }
}
