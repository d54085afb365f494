package io.tidelog.coordinator;

import io.tidelog.store.Surroundings;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import io.tidelog.topic.TopicsListener;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
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
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(Groups.class);
  private static final String OFFSETS_TOPIC =
      org.apache.kafka.common.internals.Topic.GROUP_METADATA_TOPIC_NAME;
  private static final long STOP_PATIENCE_MS = 10_000;

  private final Topics topics;
  private final GroupSettings settings;
  private final Surroundings surroundings;
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "tidelog-groups");
            thread.setDaemon(true);
            return thread;
          });

  /** Held while a coordinator is started or stopped. */
  private final Object lifecycle = new Object();

  private volatile RunningGroups running;
  private volatile boolean closed;

  /** Null, or failed, if the next call is to start a coordinator. */
  private CompletableFuture<RunningGroups> started;

  private Groups(Topics topics, GroupSettings settings, Surroundings surroundings) {
    this.topics = topics;
    this.settings = settings;
    this.surroundings = surroundings;
  }

  /**
   * The groups over these topics.
   *
   * @param surroundings the clock that sessions and expiry go by, and the scheduler that wakes them
   */
  public static Groups over(Topics topics, GroupSettings settings, Surroundings surroundings) {
    Groups groups = new Groups(topics, settings, surroundings);
    topics.addListener(groups);
    return groups;
  }

  /** Done when groups can be served. Starts what is needed for it. */
  public CompletableFuture<Void> ready() {
    return started().thenApply(groups -> null);
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
    return started().thenCompose(groups -> question.apply(groups.coordinator()));
  }

  private synchronized CompletableFuture<RunningGroups> started() {
    if (closed) {
      return CompletableFuture.failedFuture(
          new CoordinatorNotAvailableException("the broker is stopping"));
    }
    if (started == null || started.isCompletedExceptionally()) {
      started =
          topics
              .findOrCreate(OFFSETS_TOPIC)
              .thenApplyAsync(this::start, executor)
              .thenCompose(RunningGroups::settled)
              .exceptionally(Groups::notAvailable);
    }
    return started;
  }

  /** On the executor, so that one start is over before the next. */
  private RunningGroups start(Topic offsets) {
    synchronized (lifecycle) {
      stop();
      if (closed) {
        throw new CoordinatorNotAvailableException("the broker is stopping");
      }
      RunningGroups groups =
          RunningGroups.start(offsets, topics.node().nodeId(), settings, outside());
      follow(groups);
      offsets.partitions().forEach(groups::lead);
      return groups;
    }
  }

  /** No change falls between the image that it learns now and those that it hears of. */
  private synchronized void follow(RunningGroups groups) {
    running = groups;
    groups.learn(topics::image);
  }

  private RunningGroups.Outside outside() {
    return new RunningGroups.Outside(surroundings.clock(), surroundings.scheduler(), executor);
  }

  private static RunningGroups notAvailable(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    String sentence = "The group coordinator could not be started: " + cause.getMessage();
    if (cause instanceof ApiException) {
      LOG.error("{}. The next request tries again", sentence);
    } else {
      LOG.error("{}. The next request tries again", sentence, cause);
    }
    throw new CoordinatorNotAvailableException(sentence, cause);
  }

  /**
   * A deletion starts the coordinator if it was not needed yet: its logs may hold offsets of the
   * topics deleted.
   */
  @Override
  public void changed(MetadataDelta delta, MetadataImage image) {
    RunningGroups now = current();
    if (now != null) {
      now.metadataChanged(delta, () -> image);
    } else if (MetadataFeed.deletesTopics(delta) && topics.find(OFFSETS_TOPIC).isPresent()) {
      CompletableFuture<?> unused =
          started().thenAccept(groups -> groups.metadataChanged(delta, topics::image));
    }
  }

  private synchronized RunningGroups current() {
    return running;
  }

  /** Without its topic the coordinator is of no use: the next request starts another. */
  @Override
  public synchronized void deleted(Topic topic) {
    if (topic.name().equals(OFFSETS_TOPIC)) {
      started = null;
    }
  }

  /** Fails the calls under way and ends all threads. The topics are closed after this. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      started = null;
    }
    synchronized (lifecycle) {
      stop();
    }
    executor.shutdown();
    try {
      if (!executor.awaitTermination(STOP_PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        LOG.error("The thread tidelog-groups did not end within {} ms", STOP_PATIENCE_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    RunningGroups now = running;
    running = null;
    if (now != null) {
      now.close();
    }
  }
}
