package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits by clients that are no members of the group: generation -1, member "". */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitsWithoutMembershipTest {
  private GroupServer server;
  private Topic topic;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    server = GroupServer.start(directory, Map.of("offset.metadata.max.bytes", "20"));
    topic = server.createTopic("topic", 3);
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  static List<Integer> versions() {
    return IntStream.rangeClosed(
            ApiKeys.OFFSET_COMMIT.oldestVersion(), ApiKeys.OFFSET_COMMIT.latestVersion(false))
        .boxed()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void a_commit_to_an_unknown_group_creates_it(int version) {
    Offsets offsets = new Offsets(server, "new" + version, version);
    assertThat(offsets.commit(topic, 0, 5)).isEqualTo(Errors.NONE);
    assertThat(offsets.committed(topic, 0)).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void a_commit_to_an_empty_group_is_taken(int version) {
    ClassicMember.of(server, "emptied" + version).joinAlone().leave();
    Offsets offsets = new Offsets(server, "emptied" + version, version);
    assertThat(offsets.commit(topic, 0, 6)).isEqualTo(Errors.NONE);
    assertThat(offsets.committed(topic, 0)).isEqualTo(6);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void a_commit_to_an_active_group_is_refused(int version) {
    ClassicMember.of(server, "active" + version).joinAlone();
    Offsets offsets = new Offsets(server, "active" + version, version);
    assertThat(offsets.commit(topic, 0, 7)).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    assertThat(offsets.committed(topic, 0)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 8, 9, 10})
  void an_instance_id_without_a_generation_is_taken_by_an_empty_group(int version) {
    ClassicMember.of(server, "instances" + version).joinAlone().leave();
    Offsets offsets = new Offsets(server, "instances" + version, version);
    OffsetCommitRequestData commit = offsets.asNobody(topic, 0, 8).setGroupInstanceId("instance");
    assertThat(offsets.commit(commit)).isEqualTo(Errors.NONE);
    assertThat(offsets.committed(topic, 0)).isEqualTo(8);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void a_generation_of_an_unknown_group_is_refused(int version) {
    Offsets offsets = new Offsets(server, "unknown" + version, version);
    OffsetCommitRequestData commit =
        offsets.asNobody(topic, 0, 9).setGenerationIdOrMemberEpoch(1).setMemberId("somebody");
    assertThat(offsets.commit(commit))
        .isEqualTo(version < 9 ? Errors.ILLEGAL_GENERATION : Errors.GROUP_ID_NOT_FOUND);
    assertThat(offsets.committed(topic, 0)).isEqualTo(-1);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void the_empty_group_id_is_taken(int version) {
    Offsets offsets = new Offsets(server, "", version);
    assertThat(offsets.commit(topic, 0, 10)).isEqualTo(Errors.NONE);
    assertThat(offsets.committed(topic, 0)).isEqualTo(10);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void what_does_not_exist_fails_alone(int version) {
    OffsetCommitRequestTopic unknown = Offsets.topic(topic, 0, 1);
    unknown.setName("missing").setTopicId(new Uuid(5, 6));
    OffsetCommitRequestTopic known = Offsets.topic(topic, 2, 11);
    known.setPartitions(
        List.of(
            known.partitions().get(0),
            new OffsetCommitRequestPartition().setPartitionIndex(3).setCommittedOffset(1),
            new OffsetCommitRequestPartition().setPartitionIndex(-1).setCommittedOffset(1)));
    Offsets offsets = new Offsets(server, "group" + version, version);
    List<OffsetCommitResponseTopic> answers =
        offsets
            .send(
                new OffsetCommitRequestData()
                    .setGroupId(offsets.group())
                    .setTopics(List.of(unknown, known)))
            .data()
            .topics();
    assertThat(answers).hasSize(2);
    for (OffsetCommitResponseTopic answer : answers) {
      boolean isKnown =
          version < 10 ? answer.name().equals("topic") : answer.topicId().equals(topic.id());
      for (OffsetCommitResponsePartition partition : answer.partitions()) {
        Errors expected =
            !isKnown
                ? version < 10 ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.UNKNOWN_TOPIC_ID
                : partition.partitionIndex() == 2 ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION;
        assertThat(Errors.forCode(partition.errorCode())).isEqualTo(expected);
      }
    }
    assertThat(offsets.committed(topic, 2)).isEqualTo(11);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void only_what_does_not_exist_does_not_reach_the_group(int version) {
    OffsetCommitRequestTopic unknown =
        Offsets.topic(topic, 0, 1).setName("missing").setTopicId(new Uuid(5, 6));
    Offsets offsets = new Offsets(server, "untouched" + version, version);
    OffsetCommitRequestData commit =
        new OffsetCommitRequestData().setGroupId(offsets.group()).setTopics(List.of(unknown));
    assertThat(offsets.commit(commit))
        .isEqualTo(version < 10 ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.UNKNOWN_TOPIC_ID);
  }

  @Test
  void metadata_above_the_limit_fails_alone() {
    OffsetCommitRequestTopic both = Offsets.topic(topic, 0, 1);
    both.setPartitions(
        List.of(
            both.partitions().get(0),
            new OffsetCommitRequestPartition()
                .setPartitionIndex(1)
                .setCommittedOffset(2)
                .setCommittedMetadata("twenty-one characters")));
    Offsets offsets = Offsets.of(server, "group");
    List<OffsetCommitResponsePartition> answers =
        offsets
            .send(new OffsetCommitRequestData().setGroupId("group").setTopics(List.of(both)))
            .data()
            .topics()
            .get(0)
            .partitions();
    assertThat(answers)
        .extracting(answer -> Errors.forCode(answer.errorCode()))
        .containsExactlyInAnyOrder(Errors.NONE, Errors.OFFSET_METADATA_TOO_LARGE);
    assertThat(offsets.committed(topic, 0)).isEqualTo(1);
    assertThat(offsets.committed(topic, 1)).isEqualTo(-1);
  }
}
