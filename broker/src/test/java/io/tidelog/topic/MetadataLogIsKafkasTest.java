package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.RecordBatch;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.raft.internals.BatchBuilder;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;

class MetadataLogIsKafkasTest {
  private static final Path FOLDER = TestTopics.DATA.resolve("__cluster_metadata-0");
  private static final Path LOG = FOLDER.resolve("00000000000000000000.log");

  private final SimDisk disk = new SimDisk(3);

  @Test
  void kafkas_decoder_reads_every_record_that_is_on_disk() throws Exception {
    Topic topic;
    Uuid directory;
    try (TestTopics topics = TestTopics.start(disk)) {
      topic =
          topics.create(
              NewTopic.named("orders").withPartitions(2).withConfigs(Map.of("segment.ms", "99")));
      directory = topics.topics().node().directoryIds().get(TestTopics.DATA);
      topics.delete(topic);
    }
    List<ApiMessage> records = new ArrayList<>();
    for (Record record : MemoryRecords.readableRecords(contents(LOG)).records()) {
      assertThat(record.key()).isNull();
      assertThat(record.headers()).isEmpty();
      ByteBuffer value = record.value();
      records.add(
          MetadataRecordSerde.INSTANCE
              .read(new ByteBufferAccessor(value), value.remaining())
              .message());
    }
    assertThat(records)
        .containsExactly(
            new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 33),
            new FeatureLevelRecord().setName("group.version").setFeatureLevel((short) 1),
            new FeatureLevelRecord().setName("streams.version").setFeatureLevel((short) 1),
            new FeatureLevelRecord().setName("transaction.version").setFeatureLevel((short) 2),
            new TopicRecord().setName("orders").setTopicId(topic.id()),
            new ConfigRecord()
                .setResourceType((byte) 2)
                .setResourceName("orders")
                .setName("segment.ms")
                .setValue("99"),
            partition(topic, 0, directory),
            partition(topic, 1, directory),
            new RemoveTopicRecord().setTopicId(topic.id()));
  }

  private static PartitionRecord partition(Topic topic, int index, Uuid directory) {
    return new PartitionRecord()
        .setTopicId(topic.id())
        .setPartitionId(index)
        .setReplicas(List.of(1))
        .setIsr(List.of(1))
        .setLeader(1)
        .setLeaderEpoch(0)
        .setPartitionEpoch(0)
        .setDirectories(List.of(directory));
  }

  @Test
  void a_batch_is_byte_for_byte_what_kraft_builds() {
    List<ApiMessageAndVersion> records =
        List.of(
            new ApiMessageAndVersion(
                new TopicRecord().setName("orders").setTopicId(new Uuid(7, 8)), (short) 0),
            new ApiMessageAndVersion(
                new ConfigRecord().setResourceType((byte) 2).setName("a").setValue("b"),
                (short) 0));
    long nowMs = 1_767_225_600_123L;
    BatchBuilder<ApiMessageAndVersion> kraft =
        new BatchBuilder<>(
            ByteBuffer.allocate(4096),
            MetadataRecordSerde.INSTANCE,
            Compression.NONE,
            0,
            nowMs,
            1,
            4096);
    ObjectSerializationCache sizes = new ObjectSerializationCache();
    records.forEach(record -> kraft.appendRecord(record, sizes));

    RecordBatch ours = new MetadataCodec().encode(records, nowMs);
    ours.stampLeaderEpoch(1);

    assertThat(bytes(ours)).isEqualTo(kraft.build().buffer());
  }

  @Test
  void the_folder_has_the_topic_id_that_kafka_reserves_for_it() throws Exception {
    TestTopics.start(disk).close();
    String text =
        java.nio.charset.StandardCharsets.UTF_8
            .decode(contents(FOLDER.resolve("partition.metadata")))
            .toString();
    assertThat(text).isEqualTo("version: 0\ntopic_id: " + Uuid.METADATA_TOPIC_ID);
  }

  private static ByteBuffer bytes(RecordBatch batch) {
    return batch.buffer().slice(batch.position(), batch.sizeBytes());
  }

  private ByteBuffer contents(Path path) throws IOException {
    try (DiskFile file = disk.openReadOnly(path)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) disk.sizeBytes(path));
      file.read(buffer, 0);
      return buffer.flip();
    }
  }
}
