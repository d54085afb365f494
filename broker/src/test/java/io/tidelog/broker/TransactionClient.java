package io.tidelog.broker;

import io.tidelog.net.RawClient;
import io.tidelog.topic.Topic;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.AddOffsetsToTxnResponse;
import org.apache.kafka.common.requests.AddPartitionsToTxnResponse;
import org.apache.kafka.common.requests.EndTxnResponse;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;

/**
 * A producer of transactions over the wire, which speaks each API at the version nearest to one.
 */
final class TransactionClient implements Closeable {
  private static final int TIMEOUT_MS = 60_000;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  private final RawClient wire;
  private final String id;
  private final int version;
  private long producerId;
  private short epoch;

  TransactionClient(RawClient wire, String transactionalId, int version) {
    this.wire = wire;
    this.id = transactionalId;
    this.version = version;
  }

  long producerId() {
    return producerId;
  }

  short epoch() {
    return epoch;
  }

  private short at(ApiKeys api) {
    short highest = api.latestVersion(false);
    return (short) Math.max(api.oldestVersion(), Math.min(highest, version));
  }

  /** Asks at the version nearest to this client's. */
  <T extends AbstractResponse> T ask(ApiKeys api, ApiMessage body, Class<T> type)
      throws IOException {
    return askAt(at(api), api, body, type);
  }

  private <T extends AbstractResponse> T askAt(
      short at, ApiKeys api, ApiMessage body, Class<T> type) throws IOException {
    AbstractRequest request =
        AbstractRequest.parseRequest(api, at, MessageUtil.toByteBufferAccessor(body, at)).request;
    return wire.call(request, type);
  }

  /** A request that is made again while the transaction before is being completed. */
  @FunctionalInterface
  private interface Step {
    Errors take() throws IOException;
  }

  private static Errors patiently(Step step) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    Errors error = step.take();
    while (error == Errors.CONCURRENT_TRANSACTIONS && System.nanoTime() < deadline) {
      error = step.take();
    }
    return error;
  }

  /** Goes on as somebody whom this client knows of. */
  void goOnAs(long id, int newEpoch) {
    producerId = id;
    epoch = (short) newEpoch;
  }

  Errors start() throws IOException {
    return patiently(this::tryToStart);
  }

  private Errors tryToStart() throws IOException {
    InitProducerIdResponseData granted =
        ask(
                ApiKeys.INIT_PRODUCER_ID,
                new InitProducerIdRequestData()
                    .setTransactionalId(id)
                    .setTransactionTimeoutMs(TIMEOUT_MS),
                InitProducerIdResponse.class)
            .data();
    producerId = granted.producerId();
    epoch = granted.producerEpoch();
    return Errors.forCode(granted.errorCode());
  }

  /** Adds a partition; at versions for brokers (4 and up) in a batch of one transaction. */
  Errors add(TopicPartition partition) throws IOException {
    return patiently(() -> tryToAdd(partition));
  }

  Errors tryToAdd(TopicPartition partition) throws IOException {
    short at = at(ApiKeys.ADD_PARTITIONS_TO_TXN);
    AddPartitionsToTxnTopicCollection topics = new AddPartitionsToTxnTopicCollection();
    topics.add(
        new AddPartitionsToTxnTopic()
            .setName(partition.topic())
            .setPartitions(List.of(partition.partition())));
    AddPartitionsToTxnRequestData body = new AddPartitionsToTxnRequestData();
    if (at < 4) {
      body.setV3AndBelowTransactionalId(id)
          .setV3AndBelowProducerId(producerId)
          .setV3AndBelowProducerEpoch(epoch)
          .setV3AndBelowTopics(topics);
    } else {
      body.transactions()
          .add(
              new AddPartitionsToTxnTransaction()
                  .setTransactionalId(id)
                  .setProducerId(producerId)
                  .setProducerEpoch(epoch)
                  .setTopics(topics));
    }
    return ask(ApiKeys.ADD_PARTITIONS_TO_TXN, body, AddPartitionsToTxnResponse.class)
        .errors()
        .get(at < 4 ? AddPartitionsToTxnResponse.V3_AND_BELOW_TXN_ID : id)
        .get(partition);
  }

  /** Writes one record. */
  PartitionProduceResponse write(Topic topic, int partition, int sequence, String value)
      throws IOException {
    MemoryRecords batch =
        MemoryRecords.withTransactionalRecords(
            Compression.NONE,
            producerId,
            epoch,
            sequence,
            new SimpleRecord(System.currentTimeMillis(), null, Batches.bytes(value)));
    short at = at(ApiKeys.PRODUCE) < 3 ? 3 : at(ApiKeys.PRODUCE);
    TopicProduceData data =
        at < 13
            ? new TopicProduceData().setName(topic.name())
            : new TopicProduceData().setTopicId(topic.id());
    data.setPartitionData(
        List.of(new PartitionProduceData().setIndex(partition).setRecords(batch)));
    ProduceRequestData body =
        new ProduceRequestData().setAcks((short) -1).setTimeoutMs(10_000).setTransactionalId(id);
    body.topicData().add(data);
    return wire.call(new ProduceRequest(body, at), ProduceResponse.class)
        .data()
        .responses()
        .iterator()
        .next()
        .partitionResponses()
        .get(0);
  }

  Errors addOffsets(String group) throws IOException {
    return Errors.forCode(
        ask(
                ApiKeys.ADD_OFFSETS_TO_TXN,
                new AddOffsetsToTxnRequestData()
                    .setTransactionalId(id)
                    .setProducerId(producerId)
                    .setProducerEpoch(epoch)
                    .setGroupId(group),
                AddOffsetsToTxnResponse.class)
            .data()
            .errorCode());
  }

  Errors commitOffset(String group, Topic topic, long offset) throws IOException {
    short at = at(ApiKeys.TXN_OFFSET_COMMIT);
    TxnOffsetCommitRequestTopic row =
        TxnOffsetCommitResponse.useTopicIds(at)
            ? new TxnOffsetCommitRequestTopic().setTopicId(topic.id())
            : new TxnOffsetCommitRequestTopic().setName(topic.name());
    row.setPartitions(
        List.of(
            new TxnOffsetCommitRequestPartition().setPartitionIndex(0).setCommittedOffset(offset)));
    return Errors.forCode(
        ask(
                ApiKeys.TXN_OFFSET_COMMIT,
                new TxnOffsetCommitRequestData()
                    .setTransactionalId(id)
                    .setGroupId(group)
                    .setProducerId(producerId)
                    .setProducerEpoch(epoch)
                    .setTopics(List.of(row)),
                TxnOffsetCommitResponse.class)
            .data()
            .topics()
            .get(0)
            .partitions()
            .get(0)
            .errorCode());
  }

  Errors commit() throws IOException {
    return patiently(() -> end(EndOf.COMMIT));
  }

  Errors abort() throws IOException {
    return patiently(() -> end(EndOf.ABORT));
  }

  enum EndOf {
    COMMIT,
    ABORT
  }

  /** Ends the transaction and goes on with what it is told; asks once. */
  Errors end(EndOf how) throws IOException {
    EndTxnResponseData ended =
        ask(
                ApiKeys.END_TXN,
                new EndTxnRequestData()
                    .setTransactionalId(id)
                    .setProducerId(producerId)
                    .setProducerEpoch(epoch)
                    .setCommitted(how == EndOf.COMMIT),
                EndTxnResponse.class)
            .data();
    if (ended.errorCode() == Errors.NONE.code() && ended.producerId() >= 0) {
      producerId = ended.producerId();
      epoch = ended.producerEpoch();
    }
    return Errors.forCode(ended.errorCode());
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
