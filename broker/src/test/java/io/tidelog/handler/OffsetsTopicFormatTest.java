package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DeleteGroupsResponse;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.generated.GroupMetadataKey;
import org.apache.kafka.coordinator.group.generated.GroupMetadataValue;
import org.apache.kafka.coordinator.group.generated.OffsetCommitKey;
import org.apache.kafka.coordinator.group.generated.OffsetCommitValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies in the files of {@code __consumer_offsets} is what Kafka's own code reads there. */
class OffsetsTopicFormatTest {
  @TempDir Path directory;

  /** Every record of the topic, read from its files by Kafka's code, batches checked. */
  private static List<CoordinatorRecord> records(Topic offsets) throws IOException {
    List<CoordinatorRecord> records = new ArrayList<>();
    for (Partition partition : offsets.partitions()) {
      Path file = partition.log().directory().resolve("00000000000000000000.log");
      try (FileRecords written = FileRecords.open(file.toFile(), false)) {
        for (RecordBatch batch : written.batches()) {
          batch.ensureValid();
          assertThat(batch.partitionLeaderEpoch()).isEqualTo(partition.leaderEpoch());
          for (Record record : batch) {
            records.add(
                new GroupCoordinatorRecordSerde().deserialize(record.key(), record.value()));
          }
        }
      }
    }
    return records;
  }

  @Test
  void commits_groups_and_tombstones_are_kafkas_records() throws IOException {
    Topic offsets;
    Topic topic;
    String memberId;
    long committedMs;
    try (GroupServer server = GroupServer.start(directory)) {
      topic = server.createTopic("topic", 1);
      ClassicMember member = ClassicMember.of(server, "members").joinAlone();
      memberId = member.id;
      committedMs = server.time.millis();
      Offsets.of(server, "members").commit(member, topic, 0, 42);
      Offsets.of(server, "gone").commit(topic, 0, 1);
      server.ask(
          new DeleteGroupsRequest.Builder(
                  new DeleteGroupsRequestData().setGroupsNames(List.of("gone")))
              .build((short) 2),
          DeleteGroupsResponse.class);
      offsets = server.topics.find("__consumer_offsets").orElseThrow();
    }
    List<CoordinatorRecord> records = records(offsets);

    OffsetCommitValue commit =
        (OffsetCommitValue)
            only(records.stream()
                    .filter(
                        record ->
                            record.key() instanceof OffsetCommitKey key
                                && key.group().equals("members")))
                .value()
                .message();
    assertThat(commit.offset()).isEqualTo(42);
    assertThat(commit.metadata()).isEqualTo("about 42");
    assertThat(commit.commitTimestamp()).isEqualTo(committedMs);
    assertThat(commit.topicId()).isEqualTo(topic.id());

    GroupMetadataValue group =
        records.stream()
            .filter(
                record ->
                    record.key() instanceof GroupMetadataKey key && key.group().equals("members"))
            .map(record -> (GroupMetadataValue) record.value().message())
            .reduce((earlier, later) -> later)
            .orElseThrow();
    assertThat(group.protocolType()).isEqualTo("consumer");
    assertThat(group.members()).singleElement().matches(m -> m.memberId().equals(memberId));
    assertThat(group.members().get(0).assignment()).asString().isEqualTo("all");

    List<CoordinatorRecord> gone =
        records.stream()
            .filter(
                record -> record.key() instanceof OffsetCommitKey key && key.group().equals("gone"))
            .toList();
    assertThat(gone).hasSize(2);
    assertThat(gone.get(1).value()).isNull();
  }

  private static CoordinatorRecord only(Stream<CoordinatorRecord> found) {
    return found
        .reduce(
            (one, other) -> {
              throw new AssertionError("two records: " + one + " and " + other);
            })
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void every_codec_of_the_setting_is_written_and_read_back(int codec) throws IOException {
    Map<String, String> settings =
        Map.of("offsets.topic.compression.codec", Integer.toString(codec));
    Topic topic;
    try (GroupServer server = GroupServer.start(directory, settings)) {
      topic = server.createTopic("topic", 1);
      Offsets.of(server, "group").commit(topic, 0, 42);
      Topic offsets = server.topics.find("__consumer_offsets").orElseThrow();
      assertThat(records(offsets)).isNotEmpty();
    }
    try (GroupServer server = GroupServer.start(directory, settings)) {
      assertThat(Offsets.of(server, "group").committed(topic, 0)).isEqualTo(42);
    }
  }
}
