package io.tidelog.handler;

import io.tidelog.protocol.BrokerFacts;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.topic.NodeIdentity;
import io.tidelog.topic.Topics;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Offers the APIs with which the nodes of a cluster and their partitions are administered. On one
 * node most of them have little to do, and say so as Kafka does.
 */
public final class ClusterApis {
  private ClusterApis() {}

  /**
   * Client quotas.
   *
   * @param background for what may wait
   */
  public static void offerQuotas(OfferedApis.Builder apis, Topics topics, Executor background) {
    apis.offer(ApiKeys.DESCRIBE_CLIENT_QUOTAS, new DescribeClientQuotasHandler(topics))
        .offer(ApiKeys.ALTER_CLIENT_QUOTAS, new AlterClientQuotasHandler(topics, background));
  }

  /**
   * Changes of feature levels.
   *
   * @param facts tell which levels can be had
   */
  public static void offerFeatures(OfferedApis.Builder apis, Topics topics, BrokerFacts facts) {
    apis.offer(ApiKeys.UPDATE_FEATURES, new UpdateFeaturesHandler(topics, facts));
  }

  /** The nodes, and where partitions are. */
  public static void offer(
      OfferedApis.Builder apis, Topics topics, AdvertisedAddress address, InstantSource clock) {
    NodeIdentity node = topics.node();
    RaftVoterHandlers voters = new RaftVoterHandlers(node.clusterId());
    apis.offer(ApiKeys.DESCRIBE_QUORUM, new DescribeQuorumHandler(topics, address, clock))
        .offer(ApiKeys.ELECT_LEADERS, new ElectLeadersHandler(topics))
        .offer(
            ApiKeys.ALTER_PARTITION_REASSIGNMENTS, new AlterPartitionReassignmentsHandler(topics))
        .offer(ApiKeys.LIST_PARTITION_REASSIGNMENTS, new ListPartitionReassignmentsHandler())
        .offer(ApiKeys.UNREGISTER_BROKER, new UnregisterBrokerHandler(node.nodeId()))
        .offer(ApiKeys.UNREGISTER_CONTROLLER, new UnregisterControllerHandler(node.nodeId()))
        .offer(ApiKeys.ADD_RAFT_VOTER, voters.adding())
        .offer(ApiKeys.REMOVE_RAFT_VOTER, voters.removing());
  }
}
