package io.tidelog.coordinator;

import com.yammer.metrics.core.MetricsRegistry;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRuntimeMetricsImpl;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.apache.kafka.server.util.PartitionMetadataClient;

/**
 * One run of Kafka's group coordinator over one {@code __consumer_offsets} topic: its parts put
 * together, and taken apart again by {@link #close}.
 */
final class RunningGroups implements OnDemand.Hosted {
  private final Topics topics;
  private final LedPartitions led = new LedPartitions();
  private final Metrics metrics = new Metrics();
  private final MetricsRegistry registry = new MetricsRegistry();
  private final ClockTimer timer;
  private final GroupCoordinator coordinator;
  private final MetadataFeed feed;

  private RunningGroups(Topics topics, GroupNeeds needs, CoordinatorSurroundings outside) {
    GroupSettings settings = needs.settings();
    this.topics = topics;
    GroupCoordinatorConfig config = settings.config();
    Time time = new ClockTime(outside.clock());
    timer = new ClockTimer(time, outside.scheduler());
    coordinator =
        new GroupCoordinatorService.Builder(topics.node().nodeId(), config)
            .withTime(time)
            .withTimer(timer)
            .withWriter(new StateWriter(led, needs.admission()))
            .withLoader(
                new StateLoader<>(
                    led,
                    outside.executor(),
                    time,
                    config.offsetsLoadBufferSize(),
                    new GroupCoordinatorRecordSerde()))
            .withCoordinatorRuntimeMetrics(
                new CoordinatorRuntimeMetricsImpl(
                    metrics, GroupCoordinatorMetrics.METRICS_GROUP, false))
            .withGroupCoordinatorMetrics(new GroupCoordinatorMetrics(registry, metrics))
            .withGroupConfigManager(new GroupConfigManager(config, settings.shareConfig()))
            .withPersister(new NoOpStatePersister())
            .withAuthorizerPlugin(Optional.empty())
            .withPartitionMetadataClient(new NoShareGroups())
            .build();
    feed = new MetadataFeed(coordinator, outside.executor());
  }

  /** Starts a coordinator that leads no partition yet and knows no topic. */
  static RunningGroups start(
      Topic offsets, Topics topics, GroupNeeds needs, CoordinatorSurroundings outside) {
    RunningGroups groups = new RunningGroups(topics, needs, outside);
    groups.coordinator.startup(offsets::partitionCount);
    return groups;
  }

  /** Lets it know all topics; it hears of changes from now on. */
  @Override
  public void isCurrent() {
    feed.open(topics::image);
  }

  GroupCoordinator coordinator() {
    return coordinator;
  }

  /** Has the groups of a partition loaded: this broker leads it from now on. */
  @Override
  public void lead(Partition partition) {
    led.add(partition);
    coordinator.onElection(partition.index(), partition.leaderEpoch());
  }

  /**
   * Has the groups of a partition unloaded: from this epoch on another broker leads it, or none.
   */
  void resign(int partition, int leaderEpoch) {
    led.remove(partition);
    coordinator.onResignation(partition, OptionalInt.of(leaderEpoch));
  }

  @Override
  public CompletableFuture<Void> settled() {
    return led.settled(timer);
  }

  /**
   * Lets it know a change.
   *
   * @param current the image after the change, or a later one
   */
  void metadataChanged(MetadataDelta delta, Supplier<MetadataImage> current) {
    feed.changed(delta, current);
  }

  /** Unloads everything and ends the coordinator's threads. Requests that still wait fail. */
  @Override
  public void close() {
    coordinator.shutdown();
    metrics.close();
    registry.shutdown();
  }

  /** Asks every partition something, which each answers once what was asked before is written. */
  @Override
  public CompletableFuture<?> finish() {
    return feed.close()
        .thenCompose(done -> coordinator.listGroups(null, new ListGroupsRequestData()));
  }

  /** Asked for the sake of share groups only, which are not offered. */
  private static final class NoShareGroups implements PartitionMetadataClient {
    @Override
    public Map<TopicPartition, CompletableFuture<OffsetResponse>> listLatestOffsets(
        Set<TopicPartition> partitions) {
      return Map.of();
    }

    @Override
    public void close() {}
  }
}
