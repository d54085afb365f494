package io.tidelog.broker;

import io.tidelog.net.RawClient;
import io.tidelog.topic.Topic;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.ListOffsetsResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;

/** Writes and reads records over the wire, one partition at a time unless said otherwise. */
final class DataClient implements Closeable {
  private static final short FIRST_PRODUCE_WITH_IDS = 13;
  private static final short FIRST_FETCH_WITH_IDS = 13;

  private final RawClient wire;
  private short produceVersion = ApiKeys.PRODUCE.latestVersion();
  private short fetchVersion = ApiKeys.FETCH.latestVersion();
  private short listOffsetsVersion = ApiKeys.LIST_OFFSETS.latestVersion(false);
  private short acks = -1;
  private int timeoutMs = 10_000;
  private int maxWaitMs;
  private int minBytes = 1;
  private int maxBytes = 50 << 20;
  private int partitionMaxBytes = 10 << 20;
  private byte isolation;

  DataClient(RawClient wire) {
    this.wire = wire;
  }

  RawClient wire() {
    return wire;
  }

  DataClient produceVersion(int version) {
    produceVersion = (short) version;
    return this;
  }

  DataClient fetchVersion(int version) {
    fetchVersion = (short) version;
    return this;
  }

  DataClient listOffsetsVersion(int version) {
    listOffsetsVersion = (short) version;
    return this;
  }

  DataClient acks(int value) {
    acks = (short) value;
    return this;
  }

  DataClient timeoutMs(int value) {
    timeoutMs = value;
    return this;
  }

  /** How long fetches to come may wait, and for how many bytes. */
  DataClient waiting(int maxWait, int bytes) {
    maxWaitMs = maxWait;
    minBytes = bytes;
    return this;
  }

  /** The byte limits of fetches to come. */
  DataClient limits(int all, int perPartition) {
    maxBytes = all;
    partitionMaxBytes = perPartition;
    return this;
  }

  DataClient readCommitted() {
    isolation = 1;
    return this;
  }

  PartitionProduceResponse produce(Topic topic, int partition, BaseRecords records)
      throws IOException {
    ProduceResponse response =
        wire.call(produceRequest(topic, partition, records), ProduceResponse.class);
    return response.data().responses().iterator().next().partitionResponses().get(0);
  }

  ProduceRequest produceRequest(Topic topic, int partition, BaseRecords records) {
    TopicProduceData data = new TopicProduceData();
    if (produceVersion >= FIRST_PRODUCE_WITH_IDS) {
      data.setTopicId(topic.id());
    } else {
      data.setName(topic.name());
    }
    data.setPartitionData(
        List.of(new PartitionProduceData().setIndex(partition).setRecords(records)));
    ProduceRequestData request =
        new ProduceRequestData().setAcks(acks).setTimeoutMs(timeoutMs).setTransactionalId(null);
    request.topicData().add(data);
    return new ProduceRequest(request, produceVersion);
  }

  /** Fetches from one partition. */
  PartitionData fetch(Topic topic, int partition, long offset) throws IOException {
    return fetch(fetchTopic(topic, List.of(at(partition, offset)))).get(0);
  }

  /** Fetches from these partitions of a topic, in this order. */
  List<PartitionData> fetch(FetchTopic topic) throws IOException {
    FetchResponseData response =
        wire.call(fetchRequest(List.of(topic)), FetchResponse.class).data();
    return response.responses().get(0).partitions();
  }

  FetchRequest fetchRequest(Topic topic, int partition, long offset) {
    return fetchRequest(List.of(fetchTopic(topic, List.of(at(partition, offset)))));
  }

  FetchRequest fetchRequest(List<FetchTopic> topics) {
    FetchRequestData request =
        new FetchRequestData()
            .setMaxWaitMs(maxWaitMs)
            .setMinBytes(minBytes)
            .setMaxBytes(maxBytes)
            .setIsolationLevel(isolation)
            .setTopics(topics);
    return new FetchRequest(request, fetchVersion);
  }

  FetchTopic fetchTopic(Topic topic, List<FetchPartition> partitions) {
    boolean byId = fetchVersion >= FIRST_FETCH_WITH_IDS;
    return new FetchTopic()
        .setTopic(byId ? "" : topic.name())
        .setTopicId(byId ? topic.id() : Uuid.ZERO_UUID)
        .setPartitions(partitions);
  }

  FetchPartition at(int partition, long offset) {
    return new FetchPartition()
        .setPartition(partition)
        .setFetchOffset(offset)
        .setPartitionMaxBytes(partitionMaxBytes);
  }

  ListOffsetsPartitionResponse listOffsets(Topic topic, int partition, long timestamp)
      throws IOException {
    ListOffsetsPartition wanted =
        new ListOffsetsPartition().setPartitionIndex(partition).setTimestamp(timestamp);
    return listOffsets(topic.name(), List.of(wanted)).get(0);
  }

  List<ListOffsetsPartitionResponse> listOffsets(String topic, List<ListOffsetsPartition> wanted)
      throws IOException {
    ListOffsetsRequestData request =
        new ListOffsetsRequestData()
            .setReplicaId(ListOffsetsRequest.CONSUMER_REPLICA_ID)
            .setIsolationLevel(isolation)
            .setTopics(List.of(new ListOffsetsTopic().setName(topic).setPartitions(wanted)));
    ListOffsetsResponse response =
        wire.call(
            parsed(ApiKeys.LIST_OFFSETS, request, listOffsetsVersion), ListOffsetsResponse.class);
    return response.topics().get(0).partitions();
  }

  /** A request as the broker will see it, for request classes that nobody else can make. */
  static AbstractRequest parsed(ApiKeys api, ApiMessage body, short version) {
    return AbstractRequest.parseRequest(
            api, version, MessageUtil.toByteBufferAccessor(body, version))
        .request;
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
