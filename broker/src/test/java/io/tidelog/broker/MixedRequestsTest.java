package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests about many partitions: each gets its own answer, in the order of the request. */
class MixedRequestsTest extends WithBroker {
  private Topic first;
  private Topic second;

  @BeforeEach
  void create() {
    first = broker.create("first", 3, Map.of());
    second = broker.create("second", 2, Map.of("tidelog.durability", "fsync"));
  }

  @Test
  void good_and_bad_partitions_of_one_produce_are_told_apart() throws IOException {
    MemoryRecords good = Batches.of("good");
    ProduceRequestData request = new ProduceRequestData().setAcks((short) -1).setTimeoutMs(10_000);
    request
        .topicData()
        .add(
            to(
                first.id(),
                sent(2, good),
                sent(0, Batches.damaged(good, 60)),
                sent(9, good),
                sent(1, good)));
    request.topicData().add(to(Uuid.randomUuid(), sent(0, good)));
    request.topicData().add(to(second.id(), sent(1, good), sent(0, null), sent(1, good)));
    List<String> answers = new ArrayList<>();
    ProduceResponse response =
        client.wire().call(new ProduceRequest(request, (short) 13), ProduceResponse.class);
    for (TopicProduceResponse topic : response.data().responses()) {
      for (PartitionProduceResponse partition : topic.partitionResponses()) {
        answers.add(
            partition.index()
                + " "
                + Errors.forCode(partition.errorCode())
                + " "
                + partition.baseOffset());
      }
    }
    assertThat(answers)
        .containsExactly(
            "2 NONE 0",
            "0 CORRUPT_MESSAGE -1",
            "9 UNKNOWN_TOPIC_OR_PARTITION -1",
            "1 NONE 0",
            "0 UNKNOWN_TOPIC_ID -1",
            "1 NONE 0",
            "0 INVALID_RECORD -1",
            "1 NONE 1");
  }

  @Test
  void topics_and_partitions_are_fetched_in_the_order_of_the_request() throws IOException {
    client.produce(first, 0, Batches.of("f0"));
    client.produce(first, 2, Batches.of("f2"));
    client.produce(second, 1, Batches.of("s1"));
    List<FetchTopic> wanted =
        List.of(
            client.fetchTopic(second, List.of(client.at(1, 0), client.at(7, 0))),
            client.fetchTopic(first, List.of(client.at(2, 0), client.at(1, 0), client.at(0, 0))));
    FetchResponse response = client.wire().call(client.fetchRequest(wanted), FetchResponse.class);
    List<FetchableTopicResponse> topics = response.data().responses();
    assertThat(topics)
        .extracting(FetchableTopicResponse::topicId)
        .containsExactly(second.id(), first.id());
    assertThat(topics.get(0).partitions().get(1).errorCode())
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
    List<String> values = new ArrayList<>();
    topics.forEach(
        topic ->
            topic
                .partitions()
                .forEach(
                    partition ->
                        values.add(partition.partitionIndex() + " " + Batches.values(partition))));
    assertThat(values).containsExactly("1 [s1]", "7 []", "2 [f2]", "1 []", "0 [f0]");
  }

  private static TopicProduceData to(Uuid topicId, PartitionProduceData... partitions) {
    return new TopicProduceData().setTopicId(topicId).setPartitionData(List.of(partitions));
  }

  private static PartitionProduceData sent(int partition, MemoryRecords records) {
    return new PartitionProduceData().setIndex(partition).setRecords(records);
  }
}
