package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.server.common.GroupVersion;
import org.apache.kafka.server.common.StreamsVersion;

/**
 * Offers the APIs of consumer groups. Their messages hold no view of the receive buffer (byte
 * fields are copied when they are read), so the buffer is let go before a wait that may last
 * minutes.
 */
public final class GroupApis {
  private GroupApis() {}

  /** Offers the classic group protocol, committed offsets, and the search for a coordinator. */
  public static void offer(
      OfferedApis.Builder apis,
      Groups groups,
      Transactions transactions,
      Topics topics,
      AdvertisedAddress address) {
    Coordinators coordinators = new Coordinators(groups, transactions);
    GroupMembershipHandlers members = new GroupMembershipHandlers(groups);
    GroupAdminHandlers admin = new GroupAdminHandlers(groups);
    apis.offer(
            ApiKeys.FIND_COORDINATOR,
            new ReleasingHandler(
                new FindCoordinatorHandler(coordinators, topics.node().nodeId(), address)))
        .offer(ApiKeys.JOIN_GROUP, new ReleasingHandler(members::join))
        .offer(ApiKeys.SYNC_GROUP, new ReleasingHandler(members::sync))
        .offer(ApiKeys.HEARTBEAT, new ReleasingHandler(members::heartbeat))
        .offer(ApiKeys.LEAVE_GROUP, new ReleasingHandler(members::leave))
        .offer(ApiKeys.OFFSET_COMMIT, new ReleasingHandler(new OffsetCommitHandler(groups, topics)))
        .offer(ApiKeys.OFFSET_FETCH, new ReleasingHandler(new OffsetFetchHandler(groups, topics)))
        .offer(ApiKeys.OFFSET_DELETE, new ReleasingHandler(new OffsetDeleteHandler(groups, topics)))
        .offer(ApiKeys.DESCRIBE_GROUPS, new ReleasingHandler(admin::describeClassic))
        .offer(ApiKeys.LIST_GROUPS, new ReleasingHandler(admin::list))
        .offer(ApiKeys.DELETE_GROUPS, new ReleasingHandler(admin::delete));
  }

  /** Offers the consumer group protocol (KIP-848), which needs the feature group.version. */
  public static void offerConsumerProtocol(OfferedApis.Builder apis, Groups groups, Topics topics) {
    FeatureGate gate = new FeatureGate(topics, GroupVersion.FEATURE_NAME);
    apis.offer(
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            new ReleasingHandler(
                gate.before(new GroupMembershipHandlers(groups)::consumerHeartbeat)))
        .offer(
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            new ReleasingHandler(gate.before(new GroupAdminHandlers(groups)::describeConsumer)));
  }

  /** Offers groups of Kafka Streams (KIP-1071), which need the feature streams.version. */
  public static void offerStreamsProtocol(OfferedApis.Builder apis, Groups groups, Topics topics) {
    StreamsGroupHandlers streams = new StreamsGroupHandlers(groups, topics);
    FeatureGate gate = new FeatureGate(topics, StreamsVersion.FEATURE_NAME);
    apis.offer(
            ApiKeys.STREAMS_GROUP_HEARTBEAT, new ReleasingHandler(gate.before(streams.heartbeat())))
        .offer(
            ApiKeys.STREAMS_GROUP_DESCRIBE,
            new ReleasingHandler(gate.before(streams.description())))
        .offer(
            ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
            new ReleasingHandler(gate.before(streams.topologyUpdate())));
  }
}
