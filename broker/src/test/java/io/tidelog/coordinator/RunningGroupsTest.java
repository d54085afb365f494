package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.NioDisk;
import io.tidelog.log.AppendSource;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreEvents;
import io.tidelog.store.StoreSettings;
import io.tidelog.store.Surroundings;
import io.tidelog.topic.IdentityFiles;
import io.tidelog.topic.NewTopic;
import io.tidelog.topic.Partition;
import io.tidelog.topic.ServerSettings;
import io.tidelog.topic.Topic;
import io.tidelog.topic.TopicAdmin;
import io.tidelog.topic.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Coordinators load when told that they lead, with an epoch, unload when told that they do not, and
 * heed what metadata says about groups.
 */
class RunningGroupsTest {
  private static final String GROUP = "group";

  private final MovedTime time = new MovedTime();
  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private LogStore store;
  private Topics topics;
  private Partition partition;
  private RunningGroups groups;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    Surroundings around =
        new Surroundings(new NioDisk(), time, new SplittableRandom(1), time, StoreEvents.SILENT);
    store = LogStore.open(List.of(directory), StoreSettings.DEFAULTS, around);
    topics =
        Topics.open(
            store,
            new IdentityFiles(around.disk(), List.of(directory), around.random())
                .readOrCreate(OptionalInt.empty()),
            new ServerSettings(Map.of("offsets.topic.num.partitions", "1")),
            around);
    topics.admin().create(List.of(NewTopic.named("topic")), TopicAdmin.Intent.CARRY_OUT).join();
    Topic offsets = topics.findOrCreate("__consumer_offsets").join();
    partition = offsets.partition(0).orElseThrow();
    groups =
        RunningGroups.start(
            offsets,
            topics,
            new GroupNeeds(GroupSettings.of(Map.of()), OffsetsLog.ADMITS_ALL),
            new CoordinatorSurroundings(time, time, executor));
    groups.isCurrent();
    groups.lead(partition);
    done(groups.settled());
  }

  @AfterEach
  void stop() throws IOException {
    done(groups.finish());
    groups.close();
    executor.shutdown();
    topics.close();
    store.close();
  }

  private static <T> T done(CompletableFuture<T> future) {
    return future.orTimeout(20, TimeUnit.SECONDS).join();
  }

  private Errors commit(long offset) {
    OffsetCommitRequestTopic topic =
        new OffsetCommitRequestTopic()
            .setName("topic")
            .setPartitions(
                List.of(
                    new OffsetCommitRequestPartition()
                        .setPartitionIndex(0)
                        .setCommittedOffset(offset)));
    return Errors.forCode(
        done(groups
                .coordinator()
                .commitOffsets(
                    new Nobody(),
                    new OffsetCommitRequestData().setGroupId(GROUP).setTopics(List.of(topic)),
                    BufferSupplier.NO_CACHING))
            .topics()
            .get(0)
            .partitions()
            .get(0)
            .errorCode());
  }

  private long committed() {
    OffsetFetchRequestTopics topic =
        new OffsetFetchRequestTopics().setName("topic").setPartitionIndexes(List.of(0));
    return done(groups
            .coordinator()
            .fetchOffsets(
                new Nobody(),
                new OffsetFetchRequestGroup().setGroupId(GROUP).setTopics(List.of(topic)),
                false))
        .topics()
        .get(0)
        .partitions()
        .get(0)
        .committedOffset();
  }

  @Test
  void who_resigns_serves_its_groups_no_more_and_whoever_leads_again_knows_them() {
    assertThat(commit(5)).isEqualTo(Errors.NONE);
    groups.resign(0, partition.leaderEpoch() + 1);
    assertThat(commit(6)).isEqualTo(Errors.NOT_COORDINATOR);

    groups.lead(new Partition(0, partition.leaderEpoch() + 2, partition.log()));
    done(groups.settled());
    assertThat(committed()).isEqualTo(5);
    assertThat(commit(7)).isEqualTo(Errors.NONE);
    assertThat(partition.log().latestEpoch()).isEqualTo(partition.leaderEpoch() + 2);
  }

  @Test
  void a_log_that_another_has_written_to_is_loaded_again() throws IOException {
    assertThat(commit(5)).isEqualTo(Errors.NONE);
    groups.resign(0, partition.leaderEpoch() + 1);
    assertThat(commit(6)).isEqualTo(Errors.NOT_COORDINATOR);
    partition
        .log()
        .append(
            OffsetsLog.commits(0, 3).buffer(),
            partition.leaderEpoch() + 1,
            AppendSource.COORDINATOR);
    groups.lead(new Partition(0, partition.leaderEpoch() + 2, partition.log()));
    done(groups.settled());
    assertThat(committed()).isEqualTo(100);
  }

  @Test
  void configs_of_a_group_take_effect_for_that_group_and_can_be_taken_back() {
    assertThat(heartbeatIntervalMs("a")).isEqualTo(5_000);
    configure("a", "7000");
    assertThat(heartbeatIntervalMs("a")).isEqualTo(7_000);
    assertThat(heartbeatIntervalMs("b")).isEqualTo(5_000);
    configure("a", null);
    assertThat(heartbeatIntervalMs("a")).isEqualTo(5_000);
  }

  private void configure(String group, String intervalMs) {
    MetadataDelta delta = new MetadataDelta.Builder().setImage(topics.image()).build();
    delta.replay(
        new ConfigRecord()
            .setResourceType(ConfigResource.Type.GROUP.id())
            .setResourceName(group)
            .setName("consumer.heartbeat.interval.ms")
            .setValue(intervalMs));
    groups.metadataChanged(delta, () -> delta.apply(MetadataProvenance.EMPTY));
  }

  private int heartbeatIntervalMs(String group) {
    ConsumerGroupHeartbeatRequestData beat =
        new ConsumerGroupHeartbeatRequestData()
            .setGroupId(group)
            .setMemberId("member")
            .setMemberEpoch(0)
            .setRebalanceTimeoutMs(30_000)
            .setSubscribedTopicNames(List.of("topic"))
            .setTopicPartitions(List.of());
    ConsumerGroupHeartbeatResponseData answer =
        done(groups.coordinator().consumerGroupHeartbeat(new Nobody(), beat));
    assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
    return answer.heartbeatIntervalMs();
  }

  /** A request context that only has a version. */
  private record Nobody() implements AuthorizableRequestContext {
    @Override
    public String listenerName() {
      return "PLAINTEXT";
    }

    @Override
    public SecurityProtocol securityProtocol() {
      return SecurityProtocol.PLAINTEXT;
    }

    @Override
    public KafkaPrincipal principal() {
      return KafkaPrincipal.ANONYMOUS;
    }

    @Override
    public InetAddress clientAddress() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public int requestType() {
      return 8;
    }

    @Override
    public int requestVersion() {
      return 9;
    }

    @Override
    public String clientId() {
      return "nobody";
    }

    @Override
    public int correlationId() {
      return 1;
    }
  }
}
