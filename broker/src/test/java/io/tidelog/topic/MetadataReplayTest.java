package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.store.LogStore;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.AbortTransactionRecord;
import org.apache.kafka.common.metadata.BeginTransactionRecord;
import org.apache.kafka.common.metadata.EndTransactionRecord;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.NoOpRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;

/** What Kafka may have written into a metadata log, and what nobody should have. */
class MetadataReplayTest {
  private final SimDisk disk = new SimDisk(6);

  @Test
  void records_between_begin_and_end_count_from_the_end_on() throws Exception {
    write(
        List.of(feature(), new NoOpRecord()),
        List.of(new BeginTransactionRecord().setName("x"), topic("kept", 1), partition(1)),
        List.of(new EndTransactionRecord()),
        List.of(new BeginTransactionRecord().setName("y"), topic("dropped", 2), partition(2)),
        List.of(new AbortTransactionRecord().setReason("z")),
        List.of(new BeginTransactionRecord().setName("z"), topic("unfinished", 3), partition(3)));
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().all()).extracting(Topic::name).containsExactly("kept");
      topics.create(NewTopic.named("later"));
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().all())
          .extracting(Topic::name)
          .containsExactlyInAnyOrder("kept", "later");
    }
  }

  @Test
  void unknown_control_records_are_passed_over() throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      topics.create(NewTopic.named("orders"));
      PartitionLog log = topics.store().find(MetadataLog.PARTITION).orElseThrow();
      RecordBatch fromALaterVersion =
          new RecordBatchWriter(KafkaCodecs.create())
              .begin()
              .control()
              .append(1, ByteBuffer.wrap(new byte[] {0, 0, 0, 99}), ByteBuffer.allocate(4))
              .finish();
      append(log, fromALaterVersion);
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().find("orders")).isPresent();
      assertThat(topics.create(NewTopic.named("other")).partitionCount()).isEqualTo(1);
    }
  }

  @Test
  void a_batch_that_is_not_metadata_is_named_with_its_offset() throws Exception {
    TestTopics.start(disk).close();
    long offset;
    try (TestTopics topics = TestTopics.start(disk)) {
      PartitionLog log = topics.store().find(MetadataLog.PARTITION).orElseThrow();
      offset = log.view().end();
      append(
          log,
          new RecordBatchWriter(KafkaCodecs.create())
              .begin()
              .append(1, null, ByteBuffer.wrap("not metadata".getBytes(StandardCharsets.UTF_8)))
              .finish());
    }
    assertThatThrownBy(() -> TestTopics.start(disk))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("__cluster_metadata-0", "offset " + offset);
  }

  @SafeVarargs
  private void write(List<ApiMessage>... batches) throws IOException {
    TestTopics.start(disk).close();
    try (TestTopics topics = TestTopics.start(disk)) {
      LogStore store = topics.store();
      MetadataCodec codec = new MetadataCodec();
      for (List<ApiMessage> batch : batches) {
        append(
            store.find(MetadataLog.PARTITION).orElseThrow(),
            codec.encode(
                batch.stream()
                    .map(
                        record ->
                            new ApiMessageAndVersion(record, record.highestSupportedVersion()))
                    .toList(),
                1));
      }
    }
  }

  private static void append(PartitionLog log, RecordBatch batch) throws IOException {
    log.append(batch.buffer(), 1, AppendSource.COORDINATOR);
  }

  private static ApiMessage feature() {
    return new FeatureLevelRecord().setName("group.version").setFeatureLevel((short) 1);
  }

  private static ApiMessage topic(String name, int id) {
    return new TopicRecord().setName(name).setTopicId(new Uuid(9, id));
  }

  private static ApiMessage partition(int topicId) {
    return new PartitionRecord()
        .setTopicId(new Uuid(9, topicId))
        .setPartitionId(0)
        .setReplicas(List.of(1))
        .setIsr(List.of(1))
        .setLeader(1)
        .setLeaderEpoch(5)
        .setPartitionEpoch(6)
        .setDirectories(List.of(new Uuid(3, 3)));
  }

  @Test
  void a_folder_whose_topic_nobody_knows_is_kept_and_gives_way_to_a_topic_of_its_name()
      throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      PartitionLog stray =
          topics
              .store()
              .create(
                  new TopicPartition("orders", 0),
                  Ids.topicId(new Uuid(8, 8)),
                  LogSettings.DEFAULTS);
      append(
          stray,
          new RecordBatchWriter(KafkaCodecs.create())
              .begin()
              .append(1, null, ByteBuffer.allocate(3))
              .finish());
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().all()).isEmpty();
      Topic orders = topics.create(NewTopic.named("orders"));
      assertThat(orders.partition(0).orElseThrow().log().view().end()).isZero();
      assertThat(disk.list(TestTopics.DATA)).anyMatch(name -> name.endsWith("-stray"));
    }
  }
}
