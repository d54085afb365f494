package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.NioDisk;
import io.tidelog.testkit.SimClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.VotersRecord;
import org.apache.kafka.common.metadata.AccessControlEntryRecord;
import org.apache.kafka.common.metadata.ClientQuotaRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.DelegationTokenRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.ProducerIdsRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.metadata.UserScramCredentialRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.ControlRecord;
import org.apache.kafka.raft.VoterSet;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.FileRawSnapshotReader;
import org.apache.kafka.snapshot.FileRawSnapshotWriter;
import org.apache.kafka.snapshot.RecordsSnapshotReader;
import org.apache.kafka.snapshot.RecordsSnapshotWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's classes read our snapshots, and the other way round. */
class SnapshotsAreKafkasTest {
  private static final int MANY = 3000;

  @TempDir Path folder;

  private final NioDisk disk = new NioDisk();
  private final SnapshotName name = new SnapshotName(4711, 3);
  private final Quorum quorum = new Quorum((short) 1, Optional.of(voters()), Set.of(1));

  @Test
  void kafka_reads_ours() throws Exception {
    MetadataImage image = image();
    SnapshotWriter.write(new MetadataFolder(disk, folder), new SimClock(), name, image, quorum);
    MetadataDelta delta = new MetadataDelta.Builder().build();
    int voterRecords = 0;
    try (FileRawSnapshotReader raw =
            FileRawSnapshotReader.open(folder, new OffsetAndEpoch(4711, 3));
        RecordsSnapshotReader<ApiMessageAndVersion> reader =
            RecordsSnapshotReader.of(
                raw,
                MetadataRecordSerde.INSTANCE,
                BufferSupplier.NO_CACHING,
                8 << 20,
                true,
                new LogContext())) {
      while (reader.hasNext()) {
        Batch<ApiMessageAndVersion> batch = reader.next();
        batch.records().forEach(record -> delta.replay(record.message()));
        for (ControlRecord control : batch.controlRecords()) {
          if (control.type() == ControlRecordType.KRAFT_VOTERS) {
            assertThat(VoterSet.fromVotersRecord((VotersRecord) control.message()))
                .isEqualTo(VoterSet.fromVotersRecord(voters()));
            voterRecords++;
          }
        }
      }
      assertThat(reader.lastContainedLogTimestamp())
          .isEqualTo(image.provenance().lastContainedLogTimeMs());
    }
    assertThat(voterRecords).isEqualTo(1);
    assertThat(delta.apply(image.provenance())).isEqualTo(image);
  }

  @Test
  void we_read_ours() throws Exception {
    MetadataImage image = image();
    SnapshotWriter.write(new MetadataFolder(disk, folder), new SimClock(), name, image, quorum);
    MetadataReplay replay = new MetadataFolder(disk, folder).read();
    assertSame(replay, image);
    assertThat(replay.quorum()).isEqualTo(quorum);
  }

  @Test
  void we_read_kafkas() throws Exception {
    MetadataImage image = image();
    try (RecordsSnapshotWriter<ApiMessageAndVersion> writer =
        new RecordsSnapshotWriter.Builder()
            .setKraftVersion(KRaftVersion.KRAFT_VERSION_1)
            .setVoterSet(Optional.of(VoterSet.fromVotersRecord(voters())))
            .setMaxBatchSizeBytes(8 << 20)
            .setRawSnapshotWriter(FileRawSnapshotWriter.create(folder, new OffsetAndEpoch(4711, 3)))
            .build(MetadataRecordSerde.INSTANCE)) {
      records().forEach(record -> writer.append(List.of(record)));
      writer.freeze();
    }
    MetadataReplay replay = new MetadataFolder(disk, folder).read();
    assertSame(replay, image);
    assertThat(replay.quorum().kraftVersion()).isEqualTo((short) 1);
    assertThat(replay.quorum().voters()).contains(voters());
    assertThat(replay.quorum().electors()).containsExactly(1);
  }

  @Test
  void a_snapshot_that_was_not_finished_is_none() throws Exception {
    Files.createFile(folder.resolve("00000000000000000009-0000000001-123.checkpoint.part"));
    Files.createFile(folder.resolve("00000000000000000009-0000000001.checkpoint.deleted"));
    assertThat(new MetadataFolder(disk, folder).snapshots()).isEmpty();
    assertThat(new MetadataFolder(disk, folder).unfinishedSnapshots()).hasSize(1);
  }

  private void assertSame(MetadataReplay replay, MetadataImage image) {
    assertThat(replay.end()).isEqualTo(4711);
    assertThat(replay.snapshot()).contains(name);
    MetadataImage read = replay.image();
    assertThat(read.features()).isEqualTo(image.features());
    assertThat(read.cluster()).isEqualTo(image.cluster());
    assertThat(read.topics()).isEqualTo(image.topics());
    assertThat(read.configs()).isEqualTo(image.configs());
    assertThat(read.clientQuotas()).isEqualTo(image.clientQuotas());
    assertThat(read.producerIds()).isEqualTo(image.producerIds());
    assertThat(read.acls()).isEqualTo(image.acls());
    assertThat(read.scram()).isEqualTo(image.scram());
    assertThat(read.delegationTokens()).isEqualTo(image.delegationTokens());
    assertThat(read.provenance().lastContainedOffset()).isEqualTo(4710);
    assertThat(read.provenance().lastContainedEpoch()).isEqualTo(3);
  }

  private static MetadataImage image() {
    MetadataDelta delta = new MetadataDelta.Builder().build();
    records().forEach(record -> delta.replay(record.message()));
    return delta.apply(new MetadataProvenance(4710, 3, SimClock.START_MS, true));
  }

  /** One of every kind that makes up an image, and more than one batch holds. */
  private static List<ApiMessageAndVersion> records() {
    List<ApiMessage> records = new ArrayList<>();
    addCluster(records);
    addTopics(records);
    addWhatHasNoEffectHere(records);
    return records.stream()
        .map(record -> new ApiMessageAndVersion(record, record.highestSupportedVersion()))
        .toList();
  }

  private static void addCluster(List<ApiMessage> records) {
    records.add(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 33));
    records.add(
        new FeatureLevelRecord()
            .setName("eligible.leader.replicas.version")
            .setFeatureLevel((short) 1));
    records.add(
        new RegisterBrokerRecord()
            .setBrokerId(1)
            .setBrokerEpoch(13)
            .setIncarnationId(new Uuid(5, 6))
            .setFenced(true)
            .setInControlledShutdown(true)
            .setLogDirs(List.of(new Uuid(7, 8))));
    records.add(
        new RegisterControllerRecord().setControllerId(1).setIncarnationId(new Uuid(9, 10)));
  }

  private static void addTopics(List<ApiMessage> records) {
    for (int i = 1; i <= MANY; i++) {
      records.add(new TopicRecord().setName("topic-" + i).setTopicId(new Uuid(1, i)));
      records.add(
          new PartitionRecord()
              .setTopicId(new Uuid(1, i))
              .setReplicas(List.of(1))
              .setIsr(List.of())
              .setEligibleLeaderReplicas(List.of(1))
              .setLastKnownElr(List.of(1))
              .setLeader(-1)
              .setLeaderEpoch(i)
              .setPartitionEpoch(2 * i)
              .setDirectories(List.of(new Uuid(7, 8))));
    }
    records.add(
        new ConfigRecord()
            .setResourceType((byte) 2)
            .setResourceName("topic-1")
            .setName("retention.ms")
            .setValue("99"));
  }

  private static void addWhatHasNoEffectHere(List<ApiMessage> records) {
    records.add(
        new ClientQuotaRecord()
            .setEntity(
                List.of(
                    new ClientQuotaRecord.EntityData().setEntityType("user").setEntityName("anna")))
            .setKey("producer_byte_rate")
            .setValue(1024));
    records.add(new ProducerIdsRecord().setBrokerId(1).setBrokerEpoch(13).setNextProducerId(7000));
    records.add(
        new AccessControlEntryRecord()
            .setId(new Uuid(11, 12))
            .setResourceType((byte) 2)
            .setResourceName("topic-1")
            .setPatternType((byte) 3)
            .setPrincipal("User:anna")
            .setHost("*")
            .setOperation((byte) 3)
            .setPermissionType((byte) 3));
    records.add(
        new UserScramCredentialRecord()
            .setName("anna")
            .setMechanism(ScramMechanism.SCRAM_SHA_256.type())
            .setSalt(new byte[] {1})
            .setStoredKey(new byte[] {2})
            .setServerKey(new byte[] {3})
            .setIterations(4096));
    records.add(
        new DelegationTokenRecord()
            .setOwner("User:anna")
            .setRequester("User:anna")
            .setTokenId("token")
            .setIssueTimestamp(1)
            .setMaxTimestamp(2)
            .setExpirationTimestamp(2));
  }

  private static VotersRecord voters() {
    VotersRecord.EndpointCollection endpoints = new VotersRecord.EndpointCollection();
    endpoints.add(
        new VotersRecord.Endpoint().setName("CONTROLLER").setHost("127.0.0.1").setPort(9093));
    return new VotersRecord()
        .setVersion((short) 0)
        .setVoters(
            List.of(
                new VotersRecord.Voter()
                    .setVoterId(1)
                    .setVoterDirectoryId(new Uuid(7, 8))
                    .setEndpoints(endpoints)
                    .setKRaftVersionFeature(
                        new VotersRecord.KRaftVersionFeature()
                            .setMinSupportedVersion((short) 0)
                            .setMaxSupportedVersion((short) 1))));
  }
}
