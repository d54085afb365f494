package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DeleteRecordsResponse;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.junit.jupiter.api.Test;

/** Each API of records is asked at each version that is offered, with a good and a bad request. */
class EveryVersionTest extends WithBroker {

  @Test
  void every_version_of_produce_appends_and_answers_with_the_offset() throws IOException {
    Topic topic = broker.create("orders");
    long next = 0;
    for (short version = 3; version <= ApiKeys.PRODUCE.latestVersion(); version++) {
      PartitionProduceResponse answer =
          client.produceVersion(version).produce(topic, 0, Batches.of("a", "b"));
      assertThat(Errors.forCode(answer.errorCode())).as("v%d", version).isEqualTo(Errors.NONE);
      assertThat(answer.baseOffset()).isEqualTo(next);
      assertThat(answer.logAppendTimeMs()).isEqualTo(-1);
      next += 2;
    }
  }

  @Test
  void every_version_of_produce_can_say_what_is_wrong_with_a_record() throws IOException {
    Topic topic = broker.create("compacted", 1, Map.of("cleanup.policy", "compact"));
    for (short version = 3; version <= ApiKeys.PRODUCE.latestVersion(); version++) {
      PartitionProduceResponse answer =
          client.produceVersion(version).produce(topic, 0, Batches.of("no key"));
      assertThat(Errors.forCode(answer.errorCode()))
          .as("v%d", version)
          .isEqualTo(Errors.INVALID_RECORD);
      assertThat(answer.baseOffset()).isEqualTo(-1);
      assertThat(answer.recordErrors()).as("v%d", version).hasSize(version < 8 ? 0 : 1);
    }
  }

  @Test
  void every_version_of_fetch_returns_what_was_produced() throws IOException {
    Topic topic = broker.create("orders");
    client.produce(topic, 0, Batches.of("a", "b"));
    client.produce(topic, 0, Batches.of("c"));
    for (short version = 4; version <= ApiKeys.FETCH.latestVersion(); version++) {
      PartitionData answer = client.fetchVersion(version).fetch(topic, 0, 0);
      assertThat(Errors.forCode(answer.errorCode())).as("v%d", version).isEqualTo(Errors.NONE);
      assertThat(Batches.values(answer)).as("v%d", version).containsExactly("a", "b", "c");
      assertThat(answer.highWatermark()).isEqualTo(3);
      assertThat(answer.lastStableOffset()).isEqualTo(3);
      assertThat(answer.logStartOffset()).as("v%d", version).isEqualTo(version < 5 ? -1 : 0);
      assertThat(answer.preferredReadReplica()).isEqualTo(-1);
      assertThat(answer.abortedTransactions()).isNull();
    }
  }

  @Test
  void every_version_of_fetch_lists_aborted_transactions_to_those_who_read_committed()
      throws IOException {
    Topic topic = broker.create("orders");
    client.produce(topic, 0, Batches.of("a"));
    client.readCommitted();
    for (short version = 4; version <= ApiKeys.FETCH.latestVersion(); version++) {
      PartitionData answer = client.fetchVersion(version).fetch(topic, 0, 0);
      assertThat(Batches.values(answer)).as("v%d", version).containsExactly("a");
      assertThat(answer.abortedTransactions()).as("v%d", version).isEmpty();
    }
  }

  @Test
  void every_version_of_fetch_says_that_a_partition_or_an_offset_is_not_there() throws IOException {
    Topic topic = broker.create("orders");
    for (short version = 4; version <= ApiKeys.FETCH.latestVersion(); version++) {
      client.fetchVersion(version);
      assertThat(error(client.fetch(topic, 1, 0)))
          .as("v%d", version)
          .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
      assertThat(error(client.fetch(topic, 0, 7)))
          .as("v%d", version)
          .isEqualTo(Errors.OFFSET_OUT_OF_RANGE);
    }
  }

  @Test
  void every_version_of_list_offsets_tells_start_end_and_time() throws IOException {
    Topic topic = broker.create("orders");
    client.produce(topic, 0, Batches.of("a", "b"));
    for (short version = 1; version <= ApiKeys.LIST_OFFSETS.latestVersion(false); version++) {
      client.listOffsetsVersion(version);
      assertThat(client.listOffsets(topic, 0, -2).offset()).as("v%d", version).isZero();
      assertThat(client.listOffsets(topic, 0, -1).offset()).as("v%d", version).isEqualTo(2);
      ListOffsetsPartitionResponse byTime = client.listOffsets(topic, 0, Batches.NOW + 1);
      assertThat(byTime.offset()).as("v%d", version).isEqualTo(1);
      assertThat(byTime.timestamp()).isEqualTo(Batches.NOW + 1);
      assertThat(byTime.leaderEpoch()).as("v%d", version).isEqualTo(version < 4 ? -1 : 0);
    }
  }

  @Test
  void every_version_of_delete_records_moves_the_start() throws IOException {
    Topic topic = broker.create("orders");
    client.produce(topic, 0, Batches.of("a", "b", "c", "d"));
    for (short version = 0; version <= ApiKeys.DELETE_RECORDS.latestVersion(); version++) {
      DeleteRecordsRequestData request =
          new DeleteRecordsRequestData()
              .setTopics(
                  List.of(
                      new DeleteRecordsTopic()
                          .setName("orders")
                          .setPartitions(
                              List.of(
                                  new DeleteRecordsPartition()
                                      .setPartitionIndex(0)
                                      .setOffset(version + 1)))));
      DeleteRecordsResponse answer =
          ask(ApiKeys.DELETE_RECORDS, request, version, DeleteRecordsResponse.class);
      assertThat(answer.data().topics().find("orders").partitions().find(0).lowWatermark())
          .as("v%d", version)
          .isEqualTo(version + 1);
    }
  }

  @Test
  void every_version_of_init_producer_id_gives_another_id() throws IOException {
    long last = -1;
    for (short version = 0; version <= ApiKeys.INIT_PRODUCER_ID.latestVersion(false); version++) {
      InitProducerIdResponse answer =
          ask(
              ApiKeys.INIT_PRODUCER_ID,
              new InitProducerIdRequestData()
                  .setTransactionalId(null)
                  .setTransactionTimeoutMs(60_000),
              version,
              InitProducerIdResponse.class);
      assertThat(answer.error()).as("v%d", version).isEqualTo(Errors.NONE);
      assertThat(answer.data().producerId()).as("v%d", version).isGreaterThan(last);
      assertThat(answer.data().producerEpoch()).isZero();
      last = answer.data().producerId();
    }
  }

  @Test
  void every_version_of_offset_for_leader_epoch_tells_where_an_epoch_ends() throws IOException {
    Topic topic = broker.create("orders");
    client.produce(topic, 0, Batches.of("a", "b"));
    ApiKeys api = ApiKeys.OFFSET_FOR_LEADER_EPOCH;
    for (short version = api.oldestVersion(); version <= api.latestVersion(); version++) {
      EpochEndOffset known = endOfEpoch(version, 0);
      assertThat(known.leaderEpoch()).as("v%d", version).isZero();
      assertThat(known.endOffset()).as("v%d", version).isEqualTo(2);
      assertThat(endOfEpoch(version, 9).endOffset()).as("v%d", version).isEqualTo(-1);
    }
  }

  private EpochEndOffset endOfEpoch(short version, int leaderEpoch) throws IOException {
    OffsetForLeaderEpochRequestData request =
        new OffsetForLeaderEpochRequestData().setReplicaId(version < 3 ? -2 : -1);
    OffsetForLeaderTopic topic =
        new OffsetForLeaderTopic()
            .setTopic("orders")
            .setPartitions(
                List.of(
                    new OffsetForLeaderPartition().setPartition(0).setLeaderEpoch(leaderEpoch)));
    request.topics().add(topic);
    return ask(
            ApiKeys.OFFSET_FOR_LEADER_EPOCH, request, version, OffsetsForLeaderEpochResponse.class)
        .data()
        .topics()
        .find("orders")
        .partitions()
        .get(0);
  }

  private <T extends AbstractResponse> T ask(
      ApiKeys api, ApiMessage body, short version, Class<T> type) throws IOException {
    return client.wire().call(DataClient.parsed(api, body, version), type);
  }

  private static Errors error(PartitionData partition) {
    return Errors.forCode(partition.errorCode());
  }
}
