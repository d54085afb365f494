package io.tidelog.broker;

import io.tidelog.net.RawClient;
import io.tidelog.topic.Topic;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;

/** Fetches in sessions, each request built by hand: first what it names, then {@link #fetch}. */
final class SessionClient implements Closeable {
  private final RawClient wire;
  private final List<FetchTopic> named = new ArrayList<>();
  private final List<ForgottenTopic> forgotten = new ArrayList<>();
  private short version = ApiKeys.FETCH.latestVersion();
  private int sessionId;
  private int epoch;
  private int maxBytes = 50 << 20;
  private int maxWaitMs;
  private int minBytes = 1;
  private byte isolation;

  SessionClient(RawClient wire) {
    this.wire = wire;
  }

  RawClient wire() {
    return wire;
  }

  SessionClient version(int fetchVersion) {
    version = (short) fetchVersion;
    return this;
  }

  SessionClient session(int id, int nextEpoch) {
    sessionId = id;
    epoch = nextEpoch;
    return this;
  }

  SessionClient maxBytes(int bytes) {
    maxBytes = bytes;
    return this;
  }

  SessionClient waiting(int maxWait, int bytes) {
    maxWaitMs = maxWait;
    minBytes = bytes;
    return this;
  }

  SessionClient readCommitted() {
    isolation = 1;
    return this;
  }

  SessionClient readUncommitted() {
    isolation = 0;
    return this;
  }

  int sessionId() {
    return sessionId;
  }

  int epoch() {
    return epoch;
  }

  SessionClient name(Topic topic, int partition, long offset) {
    return name(topic, at(partition, offset));
  }

  SessionClient name(Topic topic, FetchPartition partition) {
    named.add(
        new FetchTopic()
            .setTopic(isById() ? "" : topic.name())
            .setTopicId(isById() ? topic.id() : Uuid.ZERO_UUID)
            .setPartitions(List.of(partition)));
    return this;
  }

  static FetchPartition at(int partition, long offset) {
    return new FetchPartition()
        .setPartition(partition)
        .setFetchOffset(offset)
        .setPartitionMaxBytes(10 << 20);
  }

  SessionClient forget(Topic topic, int partition) {
    forgotten.add(
        new ForgottenTopic()
            .setTopic(isById() ? "" : topic.name())
            .setTopicId(isById() ? topic.id() : Uuid.ZERO_UUID)
            .setPartitions(List.of(partition)));
    return this;
  }

  private boolean isById() {
    return version >= 13;
  }

  /** Sends what was named since the last request, and goes by the answer's session. */
  FetchResponseData fetch() throws IOException {
    send();
    return receive();
  }

  void send() throws IOException {
    FetchRequestData request =
        new FetchRequestData()
            .setMaxWaitMs(maxWaitMs)
            .setMinBytes(minBytes)
            .setMaxBytes(maxBytes)
            .setIsolationLevel(isolation)
            .setSessionId(sessionId)
            .setSessionEpoch(epoch)
            .setTopics(List.copyOf(named))
            .setForgottenTopicsData(List.copyOf(forgotten));
    wire.send(new FetchRequest(request, version));
    named.clear();
    forgotten.clear();
  }

  FetchResponseData receive() throws IOException {
    FetchResponseData answer = ((FetchResponse) wire.receive()).data();
    if (answer.errorCode() == Errors.NONE.code()) {
      sessionId = answer.sessionId();
      epoch = sessionId == 0 ? 0 : epoch + 1;
    }
    return answer;
  }

  /** The partitions of an answer, in their order. */
  static List<PartitionData> partitions(FetchResponseData answer) {
    return answer.responses().stream().flatMap(topic -> topic.partitions().stream()).toList();
  }

  /** The numbers of the partitions of an answer, in their order. */
  static List<Integer> indexes(FetchResponseData answer) {
    return partitions(answer).stream().map(PartitionData::partitionIndex).toList();
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
