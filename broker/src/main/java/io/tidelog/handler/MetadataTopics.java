package io.tidelog.handler;

import io.tidelog.topic.NodeIdentity;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;

/**
 * The parts of a metadata answer.
 *
 * @param node this node, which is all brokers, the controller and every partition's only replica
 * @param address where the client reaches it
 */
record MetadataTopics(NodeIdentity node, InetSocketAddress address) {
  private static final short FIRST_VERSION_WITH_OPERATIONS = 8;
  private static final short LAST_VERSION_WITH_CLUSTER_OPERATIONS = 10;

  MetadataResponseData answer(MetadataRequest asked, List<MetadataResponseTopic> topics) {
    MetadataResponseData answer =
        new MetadataResponseData().setClusterId(node.clusterId()).setControllerId(node.nodeId());
    answer
        .brokers()
        .add(
            new MetadataResponseBroker()
                .setNodeId(node.nodeId())
                .setHost(address.getHostString())
                .setPort(address.getPort()));
    topics.forEach(answer.topics()::add);
    addOperations(asked, answer);
    return answer;
  }

  private static void addOperations(MetadataRequest asked, MetadataResponseData answer) {
    short version = asked.version();
    if (version < FIRST_VERSION_WITH_OPERATIONS) {
      return;
    }
    if (asked.data().includeTopicAuthorizedOperations()) {
      answer.topics().forEach(topic -> topic.setTopicAuthorizedOperations(AllOperations.ON_TOPIC));
    }
    if (asked.data().includeClusterAuthorizedOperations()
        && version <= LAST_VERSION_WITH_CLUSTER_OPERATIONS) {
      answer.setClusterAuthorizedOperations(AllOperations.ON_CLUSTER);
    }
  }

  /** A topic that is there. */
  static MetadataResponseTopic of(NodeIdentity node, Topic topic) {
    List<MetadataResponsePartition> partitions = new ArrayList<>(topic.partitionCount());
    topic.partitions().forEach(partition -> partitions.add(of(node, partition)));
    return new MetadataResponseTopic()
        .setName(topic.name())
        .setTopicId(topic.id())
        .setIsInternal(topic.isInternal())
        .setPartitions(partitions);
  }

  private static MetadataResponsePartition of(NodeIdentity node, Partition partition) {
    return new MetadataResponsePartition()
        .setPartitionIndex(partition.index())
        .setLeaderId(node.nodeId())
        .setLeaderEpoch(partition.leaderEpoch())
        .setReplicaNodes(List.of(node.nodeId()))
        .setIsrNodes(List.of(node.nodeId()));
  }

  /** A topic that is not there. */
  static MetadataResponseTopic missing(String name, Errors why) {
    return new MetadataResponseTopic().setName(name).setErrorCode(why.code());
  }
}
