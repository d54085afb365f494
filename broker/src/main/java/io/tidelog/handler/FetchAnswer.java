package io.tidelog.handler;

import io.tidelog.protocol.AnswerEncoder;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.NodeEndpoint;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;

/** Puts the answer to a fetch together, as its version can carry it. */
final class FetchAnswer {
  private static final short LAST_VERSION_WITHOUT_STORAGE_ERROR = 5;
  private static final short FIRST_VERSION_WITH_LEADERS = 16;

  private final Fetch fetch;
  private final FetchResponseData body = new FetchResponseData();
  private final Map<FetchedPartition, PartitionData> told = new LinkedHashMap<>();
  private FetchedPartition.Key last;
  private List<PartitionData> ofTopic = List.of();

  FetchAnswer(Fetch fetch) {
    this.fetch = fetch;
  }

  /** Adds a partition; those of one topic that follow each other share its name. */
  void add(FetchedPartition partition, PartitionData data) {
    if (last == null || !last.isSameTopic(partition.key())) {
      ofTopic = new ArrayList<>();
      body.responses()
          .add(
              new FetchableTopicResponse()
                  .setTopic(partition.key().topic())
                  .setTopicId(partition.key().topicId())
                  .setPartitions(ofTopic));
    }
    last = partition.key();
    ofTopic.add(data);
    told.put(partition, data);
    if (data.errorCode() != Errors.NONE.code()) {
      fitError(partition, data);
    }
  }

  private void fitError(FetchedPartition partition, PartitionData data) {
    Errors error = Errors.forCode(data.errorCode());
    if (error == Errors.KAFKA_STORAGE_ERROR
        && fetch.version() <= LAST_VERSION_WITHOUT_STORAGE_ERROR) {
      data.setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code());
    }
    if (error == Errors.UNKNOWN_TOPIC_OR_PARTITION
        && partition.found().topic() == null
        && FetchSession.Naming.at(fetch.version()) == FetchSession.Naming.BY_ID) {
      data.setErrorCode(Errors.UNKNOWN_TOPIC_ID.code()); // an id of zeros names no topic
    }
    boolean isAboutLeader =
        error == Errors.NOT_LEADER_OR_FOLLOWER || error == Errors.FENCED_LEADER_EPOCH;
    if (isAboutLeader && fetch.version() >= FIRST_VERSION_WITH_LEADERS) {
      nameLeader(partition, data);
    }
  }

  /** The client need not ask who leads the partition, and where. */
  private void nameLeader(FetchedPartition partition, PartitionData data) {
    FetchSurroundings around = fetch.around();
    data.currentLeader()
        .setLeaderId(around.nodeId())
        .setLeaderEpoch(partition.found().partition().leaderEpoch());
    if (body.nodeEndpoints().isEmpty() && !fetch.isFromFollower()) {
      InetSocketAddress address = around.address();
      body.nodeEndpoints()
          .add(
              new NodeEndpoint()
                  .setNodeId(around.nodeId())
                  .setHost(address.getHostString())
                  .setPort(address.getPort()));
    }
  }

  /** The answer, which is given: the client knows it from now on. */
  FetchResponseData give() {
    fetch.partitions().told(told);
    return body;
  }

  /** Lets the slices in it go. */
  void discard() {
    AnswerEncoder.discard(body);
  }
}
