package io.tidelog.handler;

import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.NodeIdentity;
import io.tidelog.topic.Topics;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeQuorumRequestData;
import org.apache.kafka.common.message.DescribeQuorumRequestData.TopicData;
import org.apache.kafka.common.message.DescribeQuorumResponseData;
import org.apache.kafka.common.message.DescribeQuorumResponseData.Listener;
import org.apache.kafka.common.message.DescribeQuorumResponseData.ListenerCollection;
import org.apache.kafka.common.message.DescribeQuorumResponseData.Node;
import org.apache.kafka.common.message.DescribeQuorumResponseData.NodeCollection;
import org.apache.kafka.common.message.DescribeQuorumResponseData.PartitionData;
import org.apache.kafka.common.message.DescribeQuorumResponseData.ReplicaState;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeQuorumRequest;
import org.apache.kafka.server.common.OffsetAndEpoch;

/** Tells who keeps the metadata log: this node, the only voter and the leader. */
final class DescribeQuorumHandler implements RequestHandler {
  private static final short FIRST_VERSION_WITH_NODES = 2;

  private final Topics topics;
  private final AdvertisedAddress address;
  private final InstantSource clock;

  DescribeQuorumHandler(Topics topics, AdvertisedAddress address, InstantSource clock) {
    this.topics = topics;
    this.address = address;
    this.clock = clock;
  }

  @Override
  public void handle(Request request, Answer answer) {
    DescribeQuorumRequestData asked = request.body(DescribeQuorumRequest.class).data();
    if (isAboutMetadata(asked)) {
      answer.complete(describe(request));
    } else {
      answer.complete(
          DescribeQuorumRequest.getPartitionLevelErrorResponse(
              asked, Errors.UNKNOWN_TOPIC_OR_PARTITION));
    }
  }

  private static boolean isAboutMetadata(DescribeQuorumRequestData asked) {
    if (asked.topics().size() != 1) {
      return false;
    }
    TopicData topic = asked.topics().get(0);
    return topic.topicName().equals(Topic.CLUSTER_METADATA_TOPIC_NAME)
        && topic.partitions().size() == 1
        && topic.partitions().get(0).partitionIndex() == 0;
  }

  private DescribeQuorumResponseData describe(Request request) {
    NodeIdentity node = topics.node();
    OffsetAndEpoch last = topics.image().highestOffsetAndEpoch();
    PartitionData partition =
        new PartitionData()
            .setPartitionIndex(0)
            .setLeaderId(node.nodeId())
            .setLeaderEpoch(last.epoch())
            .setHighWatermark(last.offset() + 1)
            .setCurrentVoters(List.of(voter(request.version(), node, last.offset() + 1)));
    DescribeQuorumResponseData.TopicData topic =
        new DescribeQuorumResponseData.TopicData()
            .setTopicName(Topic.CLUSTER_METADATA_TOPIC_NAME)
            .setPartitions(List.of(partition));
    return new DescribeQuorumResponseData()
        .setTopics(List.of(topic))
        .setNodes(nodes(request, node));
  }

  private ReplicaState voter(short version, NodeIdentity node, long endOffset) {
    ReplicaState voter =
        new ReplicaState()
            .setReplicaId(node.nodeId())
            .setLogEndOffset(endOffset)
            .setLastFetchTimestamp(clock.millis())
            .setLastCaughtUpTimestamp(clock.millis());
    boolean isKnown = node.directoryIds().size() == 1;
    return isKnown && version >= FIRST_VERSION_WITH_NODES
        ? voter.setReplicaDirectoryId(node.directoryIds().values().iterator().next())
        : voter;
  }

  private NodeCollection nodes(Request request, NodeIdentity node) {
    NodeCollection nodes = new NodeCollection();
    if (request.version() >= FIRST_VERSION_WITH_NODES) {
      InetSocketAddress here = address.of(request.peer());
      ListenerCollection listeners = new ListenerCollection();
      listeners.add(
          new Listener()
              .setName(request.listenerName())
              .setHost(here.getHostString())
              .setPort(here.getPort()));
      nodes.add(new Node().setNodeId(node.nodeId()).setListeners(listeners));
    }
    return nodes;
  }
}
