package io.tidelog.coordinator;

import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.store.Surroundings;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import io.tidelog.topic.TopicsListener;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResultCollection;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * The consumer groups of this broker. Nothing of it runs until the first call that needs it: then
 * {@code __consumer_offsets} is created if it is missing, the coordinator starts and loads what the
 * logs hold, and the call goes on. Sessions and the expiry of offsets are counted from then on.
 *
 * <p>Each call takes the request as it came and returns the answer of Kafka's coordinator, whose
 * errors are in the answer. A future fails only with one of Kafka's API exceptions:
 * CoordinatorNotAvailableException if the coordinator could not be started, or what Kafka's own
 * broker would turn into the error form of the request. While a partition is being loaded, its
 * groups answer COORDINATOR_LOAD_IN_PROGRESS.
 */
public final class Groups implements TopicsListener, Closeable {
  private static final String OFFSETS_TOPIC =
      org.apache.kafka.common.internals.Topic.GROUP_METADATA_TOPIC_NAME;

  private final Topics topics;
  private final OnDemand<RunningGroups> host;

  private Groups(Topics topics, GroupNeeds needs, Surroundings around) {
    this.topics = topics;
    this.host =
        new OnDemand<>(
            topics,
            new OnDemand.Kind<>(
                "group coordinator",
                OFFSETS_TOPIC,
                "tidelog-groups",
                (offsets, executor) ->
                    RunningGroups.start(
                        offsets,
                        topics,
                        needs,
                        new CoordinatorSurroundings(
                            around.clock(), around.scheduler(), executor))));
  }

  /**
   * The groups over these topics.
   *
   * @param transactions those in which offsets may be committed; they have these groups end what
   *     they committed
   * @param surroundings the clock that sessions and expiry go by, and the scheduler that wakes them
   */
  public static Groups over(
      Topics topics, GroupSettings settings, Transactions transactions, Surroundings surroundings) {
    Groups groups = new Groups(topics, new GroupNeeds(settings, transactions), surroundings);
    transactions.offsetsAreKeptBy(groups);
    topics.addListener(groups);
    return groups;
  }

  /** Done when groups can be served. Starts what is needed for it. */
  public CompletableFuture<Void> ready() {
    return host.started().thenApply(groups -> null);
  }

  public CompletableFuture<JoinGroupResponseData> join(
      AuthorizableRequestContext from, JoinGroupRequestData request) {
    return ask(groups -> groups.joinGroup(from, request, BufferSupplier.NO_CACHING));
  }

  public CompletableFuture<SyncGroupResponseData> sync(
      AuthorizableRequestContext from, SyncGroupRequestData request) {
    return ask(groups -> groups.syncGroup(from, request, BufferSupplier.NO_CACHING));
  }

  public CompletableFuture<HeartbeatResponseData> heartbeat(
      AuthorizableRequestContext from, HeartbeatRequestData request) {
    return ask(groups -> groups.heartbeat(from, request));
  }

  public CompletableFuture<LeaveGroupResponseData> leave(
      AuthorizableRequestContext from, LeaveGroupRequestData request) {
    return ask(groups -> groups.leaveGroup(from, request));
  }

  public CompletableFuture<ConsumerGroupHeartbeatResponseData> consumerHeartbeat(
      AuthorizableRequestContext from, ConsumerGroupHeartbeatRequestData request) {
    return ask(groups -> groups.consumerGroupHeartbeat(from, request));
  }

  public CompletableFuture<List<ConsumerGroupDescribeResponseData.DescribedGroup>> describeConsumer(
      AuthorizableRequestContext from, List<String> groupIds) {
    return ask(groups -> groups.consumerGroupDescribe(from, groupIds));
  }

  /** A member of a group of Kafka Streams says that it is there, and what it runs. */
  public CompletableFuture<StreamsHeartbeat> streamsHeartbeat(
      AuthorizableRequestContext from, StreamsGroupHeartbeatRequestData request) {
    return ask(
        groups -> groups.streamsGroupHeartbeat(from, request).thenApply(StreamsHeartbeat::of));
  }

  public CompletableFuture<StreamsGroupTopologyDescriptionUpdateResponseData> describeTopology(
      AuthorizableRequestContext from, StreamsGroupTopologyDescriptionUpdateRequestData request) {
    return ask(groups -> groups.streamsGroupTopologyDescriptionUpdate(from, request));
  }

  public CompletableFuture<List<StreamsGroupDescribeResponseData.DescribedGroup>> describeStreams(
      AuthorizableRequestContext from, StreamsGroupDescribeRequestData request) {
    return ask(
        groups ->
            groups.streamsGroupDescribe(
                from, request.groupIds(), request.includeTopologyDescription()));
  }

  public CompletableFuture<List<DescribeGroupsResponseData.DescribedGroup>> describeClassic(
      AuthorizableRequestContext from, List<String> groupIds) {
    return ask(groups -> groups.describeGroups(from, groupIds));
  }

  public CompletableFuture<ListGroupsResponseData> list(
      AuthorizableRequestContext from, ListGroupsRequestData request) {
    return ask(groups -> groups.listGroups(from, request));
  }

  public CompletableFuture<DeletableGroupResultCollection> delete(
      AuthorizableRequestContext from, List<String> groupIds) {
    return ask(groups -> groups.deleteGroups(from, groupIds, BufferSupplier.NO_CACHING));
  }

  /** Commits offsets; each topic of the request carries both its name and its id. */
  public CompletableFuture<OffsetCommitResponseData> commitOffsets(
      AuthorizableRequestContext from, OffsetCommitRequestData request) {
    return ask(groups -> groups.commitOffsets(from, request, BufferSupplier.NO_CACHING));
  }

  /**
   * Commits offsets as part of a transaction: they count once it is committed. Each topic of the
   * request carries both its name and its id.
   */
  public CompletableFuture<TxnOffsetCommitResponseData> commitTransactionalOffsets(
      AuthorizableRequestContext from, TxnOffsetCommitRequestData request) {
    return ask(
        groups -> groups.commitTransactionalOffsets(from, request, BufferSupplier.NO_CACHING));
  }

  /** The partition of {@code __consumer_offsets} that a group's offsets are in. */
  public CompletableFuture<TopicPartition> offsetsOf(String groupId) {
    return host.started()
        .thenApply(
            groups ->
                new TopicPartition(OFFSETS_TOPIC, groups.coordinator().partitionFor(groupId)));
  }

  /**
   * Ends a transaction in a partition of {@code __consumer_offsets}. Done when the marker counts;
   * fails with one of Kafka's API exceptions, NotLeaderOrFollowerException if the partition is not
   * served now.
   */
  CompletableFuture<Void> completeTransaction(
      TopicPartition partition, EndTransactionMarker marker) {
    short version =
        marker.protocol() == TransactionProtocol.V2
            ? TransactionVersion.TV_2.featureLevel()
            : TransactionVersion.TV_0.featureLevel();
    return ask(groups ->
            groups.completeTransaction(
                partition,
                marker.producerId(),
                marker.epoch(),
                marker.coordinatorEpoch(),
                marker.outcome() == Outcome.COMMIT
                    ? TransactionResult.COMMIT
                    : TransactionResult.ABORT,
                version))
        .exceptionally(Groups::notCompleted);
  }

  private static Void notCompleted(Throwable failure) {
    Throwable cause = TransactionErrors.cause(failure);
    Errors error =
        switch (Errors.forException(cause)) {
          case COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS, NOT_COORDINATOR ->
              Errors.NOT_LEADER_OR_FOLLOWER;
          default -> Errors.forException(cause);
        };
    throw error.exception(cause.getMessage());
  }

  /** Committed offsets of one group, of all topics if the request names none. */
  public CompletableFuture<OffsetFetchResponseGroup> fetchOffsets(
      AuthorizableRequestContext from, OffsetFetchRequestGroup request, Stability stability) {
    return ask(
        groups -> groups.fetchOffsets(from, request, stability == Stability.STABLE_OR_ERROR));
  }

  public CompletableFuture<OffsetDeleteResponseData> deleteOffsets(
      AuthorizableRequestContext from, OffsetDeleteRequestData request) {
    return ask(groups -> groups.deleteOffsets(from, request, BufferSupplier.NO_CACHING));
  }

  /** What a fetch of offsets wants where a transaction has a commit pending. */
  public enum Stability {
    /** The offset committed before. */
    LAST_COMMITTED,
    /** An error, so that the caller asks again later. */
    STABLE_OR_ERROR
  }

  private <T> CompletableFuture<T> ask(Function<GroupCoordinator, CompletableFuture<T>> question) {
    return host.started().thenCompose(groups -> question.apply(groups.coordinator()));
  }

  /**
   * A deletion starts the coordinator if it was not needed yet: its logs may hold offsets of the
   * topics deleted.
   */
  @Override
  public void changed(MetadataDelta delta, MetadataImage image) {
    RunningGroups now = host.current();
    if (now != null) {
      now.metadataChanged(delta, () -> image);
    } else if (MetadataFeed.deletesTopics(delta) && host.hasTopic()) {
      CompletableFuture<?> unused =
          host.started().thenAccept(groups -> groups.metadataChanged(delta, topics::image));
    }
  }

  /** Without its topic the coordinator is of no use: the next request starts another. */
  @Override
  public void deleted(Topic topic) {
    host.deleted(topic);
  }

  /** Fails the calls under way and ends all threads. The topics are closed after this. */
  @Override
  public void close() {
    host.close();
  }
}
