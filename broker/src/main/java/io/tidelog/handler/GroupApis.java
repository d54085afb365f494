package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.protocol.RequestHandler;
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
      OfferedApis.Builder apis, Groups groups, Topics topics, AdvertisedAddress address) {
    GroupMembershipHandlers members = new GroupMembershipHandlers(groups);
    GroupAdminHandlers admin = new GroupAdminHandlers(groups);
    apis.offer(
            ApiKeys.FIND_COORDINATOR,
            lettingGo(new FindCoordinatorHandler(groups, topics.node().nodeId(), address)))
        .offer(ApiKeys.JOIN_GROUP, lettingGo(members::join))
        .offer(ApiKeys.SYNC_GROUP, lettingGo(members::sync))
        .offer(ApiKeys.HEARTBEAT, lettingGo(members::heartbeat))
        .offer(ApiKeys.LEAVE_GROUP, lettingGo(members::leave))
        .offer(ApiKeys.OFFSET_COMMIT, lettingGo(new OffsetCommitHandler(groups, topics)))
        .offer(ApiKeys.OFFSET_FETCH, lettingGo(new OffsetFetchHandler(groups, topics)))
        .offer(ApiKeys.OFFSET_DELETE, lettingGo(new OffsetDeleteHandler(groups, topics)))
        .offer(ApiKeys.DESCRIBE_GROUPS, lettingGo(admin::describeClassic))
        .offer(ApiKeys.LIST_GROUPS, lettingGo(admin::list))
        .offer(ApiKeys.DELETE_GROUPS, lettingGo(admin::delete));
  }

  /** Offers the consumer group protocol (KIP-848). */
  public static void offerConsumerProtocol(OfferedApis.Builder apis, Groups groups) {
    apis.offer(
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            lettingGo(new GroupMembershipHandlers(groups)::consumerHeartbeat))
        .offer(
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            lettingGo(new GroupAdminHandlers(groups)::describeConsumer));
  }

  /** Offers groups of Kafka Streams (KIP-1071). */
  public static void offerStreamsProtocol(OfferedApis.Builder apis, Groups groups, Topics topics) {
    StreamsGroupHandlers streams = new StreamsGroupHandlers(groups, topics);
    apis.offer(ApiKeys.STREAMS_GROUP_HEARTBEAT, lettingGo(streams.heartbeat()))
        .offer(ApiKeys.STREAMS_GROUP_DESCRIBE, lettingGo(streams.description()))
        .offer(
            ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE, lettingGo(streams.topologyUpdate()));
  }

  private static RequestHandler lettingGo(RequestHandler handler) {
    return (request, answer) -> {
      request.releaseBuffer();
      handler.handle(request, answer);
    };
  }
}
