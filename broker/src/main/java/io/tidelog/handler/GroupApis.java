package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.protocol.ApiKeys;

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
            new LettingGo(
                new FindCoordinatorHandler(coordinators, topics.node().nodeId(), address)))
        .offer(ApiKeys.JOIN_GROUP, new LettingGo(members::join))
        .offer(ApiKeys.SYNC_GROUP, new LettingGo(members::sync))
        .offer(ApiKeys.HEARTBEAT, new LettingGo(members::heartbeat))
        .offer(ApiKeys.LEAVE_GROUP, new LettingGo(members::leave))
        .offer(ApiKeys.OFFSET_COMMIT, new LettingGo(new OffsetCommitHandler(groups, topics)))
        .offer(ApiKeys.OFFSET_FETCH, new LettingGo(new OffsetFetchHandler(groups, topics)))
        .offer(ApiKeys.OFFSET_DELETE, new LettingGo(new OffsetDeleteHandler(groups, topics)))
        .offer(ApiKeys.DESCRIBE_GROUPS, new LettingGo(admin::describeClassic))
        .offer(ApiKeys.LIST_GROUPS, new LettingGo(admin::list))
        .offer(ApiKeys.DELETE_GROUPS, new LettingGo(admin::delete));
  }

  /** Offers the consumer group protocol (KIP-848). */
  public static void offerConsumerProtocol(OfferedApis.Builder apis, Groups groups) {
    apis.offer(
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            new LettingGo(new GroupMembershipHandlers(groups)::consumerHeartbeat))
        .offer(
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            new LettingGo(new GroupAdminHandlers(groups)::describeConsumer));
  }

  /** Offers groups of Kafka Streams (KIP-1071). */
  public static void offerStreamsProtocol(OfferedApis.Builder apis, Groups groups, Topics topics) {
    StreamsGroupHandlers streams = new StreamsGroupHandlers(groups, topics);
    apis.offer(ApiKeys.STREAMS_GROUP_HEARTBEAT, new LettingGo(streams.heartbeat()))
        .offer(ApiKeys.STREAMS_GROUP_DESCRIBE, new LettingGo(streams.description()))
        .offer(
            ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
            new LettingGo(streams.topologyUpdate()));
  }
}
