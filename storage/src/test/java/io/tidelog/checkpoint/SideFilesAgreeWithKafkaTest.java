package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.disk.NioDisk;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.properties.MetaPropertiesVersion;
import org.apache.kafka.storage.internals.checkpoint.CleanShutdownFileHandler;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.apache.kafka.storage.internals.checkpoint.PartitionMetadataFile;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each side file: Kafka reads ours, we read Kafka's, and the bytes are the same. */
class SideFilesAgreeWithKafkaTest {
  private static final String ID = "h9H3aCc3T2OhgkGBz1o8Yw";

  @TempDir Path root;
  private final Disk disk = new NioDisk();
  private final LogDirFailureChannel failures = new LogDirFailureChannel(1);

  @Test
  void offset_checkpoints() throws IOException {
    Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
    Map<org.apache.kafka.common.TopicPartition, Long> theirs = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      offsets.put(new TopicPartition("a-topic.with_all", i), i * 1_000_000_007L);
      theirs.put(
          new org.apache.kafka.common.TopicPartition("a-topic.with_all", i), i * 1_000_000_007L);
    }
    OffsetCheckpoint.Kind kind = OffsetCheckpoint.Kind.RECOVERY_POINT;
    OffsetCheckpoint ours = new OffsetCheckpoint(disk, root, kind);
    File file = root.resolve(kind.fileName()).toFile();
    OffsetCheckpointFile kafka = new OffsetCheckpointFile(file, failures);
    assertThat(ours.read()).as("the empty file that Kafka creates").isEmpty();

    ours.write(offsets);
    assertThat(kafka.read()).isEqualTo(theirs);
    List<String> written = Files.readAllLines(file.toPath());
    kafka.write(theirs);
    assertThat(ours.read()).isEqualTo(offsets);
    assertThat(Files.readAllLines(file.toPath())).containsExactlyInAnyOrderElementsOf(written);
    assertThat(written.subList(0, 4))
        .containsExactly("0", "100", "a-topic.with_all 0 0", "a-topic.with_all 1 1000000007");
  }

  @Test
  void leader_epoch_checkpoint() throws IOException {
    List<EpochEntry> epochs = List.of(new EpochEntry(0, 0), new EpochEntry(7, 1L << 40));
    List<org.apache.kafka.storage.internals.log.EpochEntry> theirs =
        List.of(
            new org.apache.kafka.storage.internals.log.EpochEntry(0, 0),
            new org.apache.kafka.storage.internals.log.EpochEntry(7, 1L << 40));
    LeaderEpochCheckpoint ours = new LeaderEpochCheckpoint(disk, root);
    File file = LeaderEpochCheckpointFile.newFile(root.toFile());
    LeaderEpochCheckpointFile kafka = new LeaderEpochCheckpointFile(file, failures);
    assertThat(ours.read()).isEmpty();

    ours.write(epochs);
    byte[] bytes = Files.readAllBytes(file.toPath());
    assertThat(kafka.read()).isEqualTo(theirs);
    kafka.write(theirs);
    assertThat(Files.readAllBytes(file.toPath())).isEqualTo(bytes);
    assertThat(ours.read()).isEqualTo(epochs);
    assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("0\n2\n0 0\n7 1099511627776\n");
  }

  @Test
  void partition_metadata() throws IOException {
    PartitionMetadata ours = new PartitionMetadata(disk, root);
    assertThat(ours.read()).isEmpty();
    ours.write(TopicId.parse(ID));
    File file = PartitionMetadataFile.newFile(root.toFile());
    byte[] bytes = Files.readAllBytes(file.toPath());
    PartitionMetadataFile kafka = new PartitionMetadataFile(file, failures);
    assertThat(kafka.read().topicId()).isEqualTo(Uuid.fromString(ID));
    kafka.record(Uuid.fromString(ID));
    kafka.maybeFlush();
    assertThat(Files.readAllBytes(file.toPath())).isEqualTo(bytes);
    assertThat(ours.read()).contains(TopicId.parse(ID));
    assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("version: 0\ntopic_id: " + ID);
  }

  @Test
  void clean_shutdown_marker() throws Exception {
    CleanShutdownMarker ours = new CleanShutdownMarker(disk, root);
    CleanShutdownFileHandler kafka = new CleanShutdownFileHandler(root.toString());
    assertThat(ours.exists()).isFalse();
    assertThat(ours.brokerEpoch()).isEmpty();
    ours.write(42);
    byte[] bytes = Files.readAllBytes(root.resolve(CleanShutdownMarker.FILE_NAME));
    assertThat(kafka.read()).isEqualTo(OptionalLong.of(42));
    kafka.write(42);
    assertThat(Files.readAllBytes(root.resolve(CleanShutdownMarker.FILE_NAME))).isEqualTo(bytes);
    assertThat(ours.brokerEpoch()).hasValue(42);
    ours.remove();
    ours.remove();
    assertThat(kafka.exists()).isFalse();
  }

  @Test
  void meta_properties() throws IOException {
    assertThat(MetaProperties.read(disk, root)).isEmpty();
    MetaProperties ours =
        new MetaProperties("cluster id=1", 3, Optional.of(TopicId.parse(ID)), Map.of());
    ours.write(disk, root);
    var loader = new MetaPropertiesEnsemble.Loader().addLogDirs(List.of(root.toString()));
    var kafka = loader.load().logDirProps().get(root.toString());
    assertThat(kafka.version()).isEqualTo(MetaPropertiesVersion.V1);
    assertThat(kafka.clusterId()).contains("cluster id=1");
    assertThat(kafka.nodeId()).hasValue(3);
    assertThat(kafka.directoryId()).contains(Uuid.fromString(ID));

    var copier = new MetaPropertiesEnsemble.Copier(MetaPropertiesEnsemble.EMPTY);
    copier.setLogDirProps(root.toString(), kafka);
    Files.delete(root.resolve(MetaProperties.FILE_NAME));
    copier.writeLogDirChanges();
    assertThat(MetaProperties.read(disk, root)).contains(ours);
  }

  @Test
  void unknown_keys_of_meta_properties_are_kept() throws IOException {
    Properties properties = new Properties();
    properties.putAll(
        Map.of("version", "1", "cluster.id", "c", "node.id", "0", "#later key", "ü\n= x\\"));
    try (var out = Files.newOutputStream(root.resolve(MetaProperties.FILE_NAME))) {
      properties.store(out, "comment");
    }
    MetaProperties read = MetaProperties.read(disk, root).orElseThrow();
    assertThat(read.others()).isEqualTo(Map.of("#later key", "ü\n= x\\"));
    assertThat(read.directoryId()).isEmpty();
    read.write(disk, root);
    assertThat(MetaProperties.read(disk, root)).contains(read);
  }

  @Test
  void folder_names() throws IOException {
    TopicPartition partition = new TopicPartition("x".repeat(249), 1000);
    String aside =
        PartitionFolder.nameAside(partition, PartitionFolder.State.DELETED, "0".repeat(32));
    assertThat(aside).hasSize(255);
    for (String name :
        List.of("a-0", "a-b-12", "a.b-3.f00-delete", "a-0.f00-stray", "a-1.x-future", aside)) {
      var kafka =
          org.apache.kafka.storage.internals.log.LocalLog.parseTopicPartitionName(new File(name));
      TopicPartition ours = PartitionFolder.parse(name).orElseThrow().partition();
      assertThat(ours.topic()).as(name).isEqualTo(kafka.topic());
      assertThat(ours.partition()).as(name).isEqualTo(kafka.partition());
    }
  }
}
