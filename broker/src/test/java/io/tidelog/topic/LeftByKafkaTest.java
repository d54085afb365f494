package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.CleanShutdownMarker;
import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.AccessControlEntryRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.AclsImage;
import org.apache.kafka.image.FeaturesImage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;

/** What a stopped Kafka leaves in the metadata, and what it should find there again. */
class LeftByKafkaTest {
  private static final Uuid ORDERS = new Uuid(4, 4);
  private static final FeatureLevelRecord ELIGIBLE_REPLICAS =
      new FeatureLevelRecord()
          .setName("eligible.leader.replicas.version")
          .setFeatureLevel((short) 1);

  private final SimDisk disk = new SimDisk(31);

  @Test
  void partitions_without_a_leader_and_without_anybody_in_sync_get_this_node() throws IOException {
    append(
        ELIGIBLE_REPLICAS,
        new TopicRecord().setName("orders").setTopicId(ORDERS),
        new PartitionRecord()
            .setTopicId(ORDERS)
            .setPartitionId(0)
            .setReplicas(List.of(1))
            .setIsr(List.of())
            .setEligibleLeaderReplicas(List.of(1))
            .setLastKnownElr(List.of(1))
            .setLeader(-1)
            .setLeaderRecoveryState(LeaderRecoveryState.RECOVERING.value())
            .setLeaderEpoch(5)
            .setPartitionEpoch(6));
    try (TestTopics topics = TestTopics.start(disk)) {
      PartitionRegistration partition = topics.topics().image().topics().getPartition(ORDERS, 0);
      assertThat(partition.leader).isEqualTo(1);
      assertThat(partition.isr).containsExactly(1);
      assertThat(partition.elr).isEmpty();
      assertThat(partition.lastKnownElr).isEmpty();
      assertThat(partition.leaderRecoveryState).isEqualTo(LeaderRecoveryState.RECOVERED);
      assertThat(partition.leaderEpoch).isEqualTo(6);
      assertThat(
              topics.topics().find(ORDERS).orElseThrow().partition(0).orElseThrow().leaderEpoch())
          .isEqualTo(6);
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().image().topics().getPartition(ORDERS, 0).leaderEpoch).isEqualTo(6);
    }
  }

  @Test
  void a_clean_stop_leaves_the_epoch_that_kafka_registered_this_broker_with() throws IOException {
    TestTopics.start(disk).close();
    CleanShutdownMarker marker = new CleanShutdownMarker(disk, TestTopics.DATA);
    assertThat(marker.brokerEpoch()).hasValue(-1);
    append(
        new RegisterBrokerRecord()
            .setBrokerId(1)
            .setBrokerEpoch(4711)
            .setIncarnationId(new Uuid(1, 2))
            .setLogDirs(List.of(new Uuid(7, 8))));
    TestTopics.start(disk).close();
    assertThat(marker.brokerEpoch()).hasValue(4711);
  }

  @Test
  void what_has_no_effect_here_is_still_there_after_a_snapshot() throws IOException {
    append(
        new AccessControlEntryRecord()
            .setId(new Uuid(11, 12))
            .setResourceType((byte) 2)
            .setResourceName("topic-1")
            .setPatternType((byte) 3)
            .setPrincipal("User:anna")
            .setHost("*")
            .setOperation((byte) 3)
            .setPermissionType((byte) 3));
    AclsImage before;
    try (TestTopics topics =
        TestTopics.start(disk, Map.of("metadata.log.max.record.bytes.between.snapshots", "1"))) {
      before = topics.topics().image().acls();
      topics.create(NewTopic.named("orders"));
      assertThat(InertMetadata.in(topics.topics().image()))
          .contains("The metadata hold 1 access rules: kept, but without effect here");
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().image().acls()).isEqualTo(before).isNotEqualTo(AclsImage.EMPTY);
    }
  }

  @Test
  void a_directory_that_was_only_formatted_begins_as_the_format_says() throws IOException {
    format();
    FeaturesImage features;
    try (TestTopics topics = TestTopics.start(disk)) {
      features = topics.topics().image().features();
      topics.create(NewTopic.named("orders"));
    }
    assertThat(features.metadataVersionOrThrow().featureLevel()).isEqualTo((short) 30);
    assertThat(features.finalizedVersions()).containsOnlyKeys(ELIGIBLE_REPLICAS.name());
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().image().features()).isEqualTo(features);
      assertThat(topics.topics().find("orders")).isPresent();
    }
  }

  /** As Kafka's format command does. */
  private void format() throws IOException {
    Path folder = TestTopics.DATA.resolve("__cluster_metadata-0");
    disk.createDirectories(folder);
    new MetaProperties("cluster", 1, Optional.of(Ids.topicId(new Uuid(7, 8))), Map.of())
        .write(disk, TestTopics.DATA);
    MetadataDelta delta = new MetadataDelta.Builder().build();
    delta.replay(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 30));
    delta.replay(ELIGIBLE_REPLICAS);
    SnapshotWriter.write(
        new MetadataFolder(disk, folder),
        new SimClock(),
        SnapshotName.BOOTSTRAP,
        delta.apply(MetadataProvenance.EMPTY),
        Quorum.UNKNOWN);
  }

  private void append(ApiMessage... records) throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      PartitionLog log = topics.store().find(MetadataLog.PARTITION).orElseThrow();
      List<ApiMessageAndVersion> all =
          List.of(records).stream()
              .map(record -> new ApiMessageAndVersion(record, record.highestSupportedVersion()))
              .toList();
      log.append(new MetadataCodec().encode(all, 1).buffer(), 1, AppendSource.COORDINATOR);
    }
  }
}
