package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.DiskLockedException;
import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.CRC32;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.message.VotersRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;

/** What cannot be served is refused in one sentence, and every byte of it stays. */
class AdmissionTest extends WithDirectory {
  private static final Uuid ORDERS = new Uuid(4, 4);

  @Test
  void a_new_directory_is_admitted() throws IOException {
    assertThat(admit()).isNotNull();
    TestTopics.start(disk).close();
    assertThat(admit()).isNotNull();
  }

  @Test
  void logs_are_opened_with_the_settings_of_their_topics() throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("kept").withConfigs(Map.of("cleanup.policy", "compact")));
    }
    assertThat(admit().apply(new TopicPartition("kept", 0)).compacts()).isTrue();
    assertThat(admit().apply(new TopicPartition("other", 0)).compacts()).isFalse();
    assertThat(admit().apply(MetadataLog.PARTITION).retentionMs()).isEqualTo(-1);
  }

  @Test
  void a_directory_that_is_being_served_is_not_judged() throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("orders"));
      assertThatThrownBy(this::admit).isInstanceOf(DiskLockedException.class);
    }
    assertThat(admit()).isNotNull();
  }

  @Test
  void another_nodes_broker_is_refused() throws IOException {
    append(new RegisterBrokerRecord().setBrokerId(2).setIncarnationId(new Uuid(1, 2)));
    assertRefused("brokers [2]", "expected 1 alone", "several nodes");
  }

  @Test
  void another_nodes_controller_is_refused() throws IOException {
    append(new RegisterControllerRecord().setControllerId(3000));
    assertRefused("controllers [3000]", "expected 1 alone");
  }

  @Test
  void another_nodes_replica_is_refused() throws IOException {
    append(topic(), partition().setReplicas(List.of(1, 2)));
    assertRefused("orders-0", "node 2", "reassign");
  }

  @Test
  void a_data_directory_that_is_not_named_is_refused() throws IOException {
    append(topic(), partition().setDirectories(List.of(new Uuid(3, 3))));
    assertRefused("orders-0", new Uuid(3, 3).toString(), "log.dirs");
  }

  @Test
  void voters_in_kafkas_file_are_refused() throws IOException {
    TestTopics.start(disk).close();
    write(
        METADATA.resolve("quorum-state"),
        "{\"clusterId\":\"\",\"leaderId\":1,\"leaderEpoch\":1,\"votedId\":-1,\"appliedOffset\":0,"
            + "\"currentVoters\":[{\"voterId\":1},{\"voterId\":2}],\"data_version\":0}");
    assertRefused("quorum-state", "voters [1, 2]");
  }

  @Test
  void one_voter_in_kafkas_file_is_admitted() throws IOException {
    TestTopics.start(disk).close();
    write(
        METADATA.resolve("quorum-state"),
        "{\"leaderId\":1,\"leaderEpoch\":1,\"currentVoters\":[{\"voterId\":1}],\"data_version\":0}");
    assertThat(admit()).isNotNull();
  }

  @Test
  void voters_in_the_log_are_refused() throws IOException {
    appendControl(
        2,
        new LeaderChangeMessage()
            .setLeaderId(1)
            .setVoters(
                List.of(
                    new LeaderChangeMessage.Voter().setVoterId(1),
                    new LeaderChangeMessage.Voter().setVoterId(7))));
    assertRefused("voters [1, 7]");
  }

  @Test
  void voters_of_a_quorum_that_can_change_are_refused() throws IOException {
    appendControl(6, new VotersRecord().setVoters(List.of(new VotersRecord.Voter().setVoterId(7))));
    assertRefused("voters [7]");
  }

  @Test
  void a_later_metadata_version_is_refused() throws IOException {
    append(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 34));
    assertRefused("metadata.version is at level 34", "7 to 33");
  }

  @Test
  void a_later_level_of_a_feature_is_refused() throws IOException {
    append(new FeatureLevelRecord().setName("group.version").setFeatureLevel((short) 9));
    assertRefused("group.version is at level 9", "at most 1");
  }

  @Test
  void an_unknown_feature_is_refused() throws IOException {
    append(new FeatureLevelRecord().setName("time.travel").setFeatureLevel((short) 1));
    assertRefused("time.travel is at level 1", "at most 0");
  }

  @Test
  void an_unknown_record_is_refused() throws IOException {
    appendValue(ByteBuffer.wrap(new byte[] {1, 99, 0, 0}));
    assertRefused("__cluster_metadata-0", "not metadata that this version understands");
  }

  @Test
  void a_later_version_of_a_record_is_refused() throws IOException {
    appendValue(ByteBuffer.wrap(new byte[] {1, 2, 88, 0}));
    assertRefused("__cluster_metadata-0", "not metadata that this version understands");
  }

  @Test
  void a_topic_in_remote_storage_is_refused() throws IOException {
    append(topic(), partition(), config("remote.storage.enable", "true"));
    assertRefused("orders", "remote.storage.enable=true");
  }

  @Test
  void a_topic_setting_that_cannot_be_had_is_refused() throws IOException {
    append(topic(), partition(), config("segment.bytes", "-5"));
    assertRefused("orders", "segment.bytes is \"-5\"", "alter it");
  }

  @Test
  void topics_without_metadata_are_refused() throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("orders"));
    }
    disk.rename(METADATA, Path.of("/elsewhere"));
    assertRefused("orders-0", "no log in __cluster_metadata-0", "metadata.log.dir");
  }

  @Test
  void partitions_without_meta_properties_are_refused() throws IOException {
    TestTopics.start(disk).close();
    disk.delete(DATA.resolve("meta.properties"));
    assertRefused("/data", "no meta.properties");
  }

  @Test
  void another_version_of_meta_properties_is_refused() throws IOException {
    TestTopics.start(disk).close();
    disk.delete(DATA.resolve("meta.properties"));
    write(DATA.resolve("meta.properties"), "version=0\nbroker.id=1\n");
    assertRefused("meta.properties", "\"0\"", "version 1");
  }

  @Test
  void another_node_id_is_refused() throws IOException {
    TestTopics.start(disk).close();
    Map<Path, String> before = contents(DATA);
    assertThatThrownBy(() -> admission().admit(OptionalInt.of(2)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("node.id=1", "node.id=2");
    assertThat(contents(DATA)).isEqualTo(before);
  }

  @Test
  void records_in_an_older_format_are_refused() throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("orders"));
    }
    overwrite(DATA.resolve("orders-0/00000000000000000000.log"), 0, oldMessage());
    assertRefused("orders-0", "format version 1");
  }

  @Test
  void damage_that_looks_like_an_older_format_is_not_taken_for_one() throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("orders"));
    }
    byte[] damaged = oldMessage();
    damaged[30] ^= 1;
    overwrite(DATA.resolve("orders-0/00000000000000000000.log"), 0, damaged);
    assertThat(admit()).isNotNull();
    overwrite(DATA.resolve("orders-0/00000000000000000000.log"), 0, new byte[80]);
    assertThat(admit()).isNotNull();
  }

  /** One of format 1: offset, size, CRC, format, and the rest. */
  private static byte[] oldMessage() {
    ByteBuffer old = ByteBuffer.allocate(80).putInt(8, 68).put(16, (byte) 1);
    CRC32 crc = new CRC32();
    crc.update(old.array(), 16, 64);
    return old.putInt(12, (int) crc.getValue()).array();
  }

  private void append(ApiMessage... records) throws IOException {
    List<ApiMessageAndVersion> all =
        List.of(records).stream()
            .map(record -> new ApiMessageAndVersion(record, record.highestSupportedVersion()))
            .toList();
    append(new MetadataCodec().encode(all, 1).buffer());
  }

  private void appendControl(int type, ApiMessage message) throws IOException {
    append(
        new RecordBatchWriter(KafkaCodecs.create())
            .begin()
            .control()
            .append(
                1,
                ByteBuffer.wrap(new byte[] {0, 0, 0, (byte) type}),
                MessageUtil.toByteBufferAccessor(message, (short) 0).buffer())
            .finish()
            .buffer());
  }

  private void appendValue(ByteBuffer value) throws IOException {
    append(
        new RecordBatchWriter(KafkaCodecs.create())
            .begin()
            .append(1, null, value)
            .finish()
            .buffer());
  }

  /** Puts a batch into the metadata log of a new directory. */
  private void append(ByteBuffer batch) throws IOException {
    try (TestTopics topics = TestTopics.start(disk)) {
      PartitionLog log = topics.store().find(MetadataLog.PARTITION).orElseThrow();
      log.append(batch, 1, AppendSource.COORDINATOR);
    }
  }

  private static TopicRecord topic() {
    return new TopicRecord().setName("orders").setTopicId(ORDERS);
  }

  private static PartitionRecord partition() {
    return new PartitionRecord()
        .setTopicId(ORDERS)
        .setPartitionId(0)
        .setReplicas(List.of(1))
        .setIsr(List.of(1))
        .setLeader(1);
  }

  private static ConfigRecord config(String name, String value) {
    return new ConfigRecord()
        .setResourceType((byte) 2)
        .setResourceName("orders")
        .setName(name)
        .setValue(value);
  }
}
