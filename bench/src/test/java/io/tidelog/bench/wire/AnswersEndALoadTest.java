package io.tidelog.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponseCollection;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.RequestUtils;
import org.junit.jupiter.api.Test;

/** No load may measure how fast a broker refuses. */
class AnswersEndALoadTest {
  private static final Topic TOPIC = new Topic(0, "orders", new Uuid(1, 1), 1);
  private static final MemoryRecords BATCH = Payload.ONE_KIB.batch();

  private static ByteBuffer answer(ApiKeys api, short version, ApiMessage body) {
    return RequestUtils.serialize(
        new ResponseHeaderData().setCorrelationId(7),
        api.responseHeaderVersion(version),
        body,
        version);
  }

  private static ByteBuffer produced(PartitionProduceResponse... partitions) {
    TopicProduceResponseCollection topics = new TopicProduceResponseCollection();
    topics.add(
        new TopicProduceResponse()
            .setTopicId(TOPIC.id())
            .setPartitionResponses(List.of(partitions)));
    return answer(
        ApiKeys.PRODUCE, ProduceWork.VERSION, new ProduceResponseData().setResponses(topics));
  }

  private static ByteBuffer fetched(Errors all, PartitionData partition) {
    return answer(
        ApiKeys.FETCH,
        (short) 17,
        new FetchResponseData()
            .setErrorCode(all.code())
            .setResponses(
                List.of(
                    new FetchableTopicResponse()
                        .setTopicId(TOPIC.id())
                        .setPartitions(List.of(partition)))));
  }

  private static FetchWork fetch(int bytes) {
    FetchWork work = new FetchWork(TOPIC, new FetchWork.Step(bytes, 1), 10);
    work.request(0);
    return work;
  }

  @Test
  void a_produced_batch_that_is_stored_counts_with_its_bytes() throws IOException {
    Work work = ProduceWork.toAll(TOPIC, BATCH);
    assertThat(work.answered(0, produced(new PartitionProduceResponse())))
        .isEqualTo(BATCH.sizeInBytes());
  }

  @Test
  void an_error_in_a_produce_answer_ends_the_load_with_its_name() {
    Work work = ProduceWork.toAll(TOPIC, BATCH);
    PartitionProduceResponse refused =
        new PartitionProduceResponse().setErrorCode(Errors.CORRUPT_MESSAGE.code());
    assertThatThrownBy(() -> work.answered(0, produced(refused)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("CORRUPT_MESSAGE");
  }

  @Test
  void a_produce_answer_without_the_partition_ends_the_load() {
    Work work = ProduceWork.toAll(TOPIC, BATCH);
    assertThatThrownBy(() -> work.answered(0, produced()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("0 partitions were answered, expected 1");
  }

  @Test
  void a_fetch_that_brings_what_was_asked_for_counts_with_its_bytes() throws IOException {
    FetchWork work = fetch(BATCH.sizeInBytes());
    assertThat(work.answered(0, fetched(Errors.NONE, new PartitionData().setRecords(BATCH))))
        .isEqualTo(BATCH.sizeInBytes());
  }

  @Test
  void an_error_in_a_fetch_answer_ends_the_load_with_its_name() {
    FetchWork work = fetch(BATCH.sizeInBytes());
    PartitionData refused =
        new PartitionData().setErrorCode(Errors.OFFSET_OUT_OF_RANGE.code()).setRecords(BATCH);
    assertThatThrownBy(() -> work.answered(0, fetched(Errors.NONE, refused)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("OFFSET_OUT_OF_RANGE");
    assertThatThrownBy(
            () -> work.answered(0, fetched(Errors.UNKNOWN_TOPIC_ID, new PartitionData())))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("UNKNOWN_TOPIC_ID");
  }

  @Test
  void a_fetch_that_brings_fewer_bytes_or_another_offset_ends_the_load() {
    assertThatThrownBy(
            () ->
                fetch(BATCH.sizeInBytes() + 1)
                    .answered(0, fetched(Errors.NONE, new PartitionData().setRecords(BATCH))))
        .isInstanceOf(RefusedException.class);
    FetchWork second = fetch(BATCH.sizeInBytes());
    assertThatThrownBy(
            () -> {
              second.answered(0, fetched(Errors.NONE, new PartitionData().setRecords(BATCH)));
              second.answered(0, fetched(Errors.NONE, new PartitionData().setRecords(BATCH)));
            })
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("from offset 1");
  }
}
