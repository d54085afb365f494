package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DeleteGroupsResponse;
import org.apache.kafka.common.requests.OffsetDeleteRequest;
import org.apache.kafka.common.requests.OffsetDeleteResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeletedGroupsTest {
  @TempDir Path directory;
  private GroupServer server;
  private Topic topic;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.start(directory);
    topic = server.createTopic("topic", 2);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private Map<String, Errors> delete(String... groups) {
    return server
        .ask(
            new DeleteGroupsRequest.Builder(
                    new DeleteGroupsRequestData().setGroupsNames(List.of(groups)))
                .build((short) 2),
            DeleteGroupsResponse.class)
        .errors();
  }

  @Test
  void empty_groups_go_with_their_offsets_active_ones_stay() throws IOException {
    ClassicMember member = ClassicMember.of(server, "active").joinAlone();
    Offsets.of(server, "active").commit(member, topic, 0, 1);
    Offsets.of(server, "empty").commit(topic, 0, 2);
    assertThat(delete("active", "empty", "unknown", ""))
        .containsEntry("active", Errors.NON_EMPTY_GROUP)
        .containsEntry("empty", Errors.NONE)
        .containsEntry("unknown", Errors.GROUP_ID_NOT_FOUND)
        .containsEntry("", Errors.GROUP_ID_NOT_FOUND);
    assertThat(Offsets.of(server, "active").committed(topic, 0)).isEqualTo(1);
    assertThat(Offsets.of(server, "empty").committed(topic, 0)).isEqualTo(-1);

    server = server.restart();
    assertThat(Offsets.of(server, "active").committed(topic, 0)).isEqualTo(1);
    assertThat(Offsets.of(server, "empty").committed(topic, 0)).isEqualTo(-1);
    assertThat(delete("empty")).containsEntry("empty", Errors.GROUP_ID_NOT_FOUND);
  }

  private OffsetDeleteResponse deleteOffsets(String group, String topicName, int... partitions) {
    OffsetDeleteRequestTopic wanted = new OffsetDeleteRequestTopic().setName(topicName);
    for (int partition : partitions) {
      wanted.partitions().add(new OffsetDeleteRequestPartition().setPartitionIndex(partition));
    }
    OffsetDeleteRequestTopicCollection topics = new OffsetDeleteRequestTopicCollection();
    topics.add(wanted);
    return server.ask(
        new OffsetDeleteRequest.Builder(
                new OffsetDeleteRequestData().setGroupId(group).setTopics(topics))
            .build((short) 0),
        OffsetDeleteResponse.class);
  }

  private static Errors error(OffsetDeleteResponse answer, String topicName, int partition) {
    OffsetDeleteResponseData data = answer.data();
    assertThat(Errors.forCode(data.errorCode())).isEqualTo(Errors.NONE);
    return Errors.forCode(data.topics().find(topicName).partitions().find(partition).errorCode());
  }

  @Test
  void offsets_go_partition_by_partition_and_what_does_not_exist_fails_alone() throws IOException {
    Offsets offsets = Offsets.of(server, "group");
    offsets.commit(topic, 0, 1);
    offsets.commit(topic, 1, 2);
    OffsetDeleteResponse answer = deleteOffsets("group", "topic", 0, 5);
    assertThat(error(answer, "topic", 0)).isEqualTo(Errors.NONE);
    assertThat(error(answer, "topic", 5)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(error(deleteOffsets("group", "missing", 0), "missing", 0))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    server = server.restart();
    assertThat(Offsets.of(server, "group").committed(topic, 0)).isEqualTo(-1);
    assertThat(Offsets.of(server, "group").committed(topic, 1)).isEqualTo(2);
  }

  @Test
  void offsets_of_a_topic_that_the_group_reads_stay() {
    Topic other = server.createTopic("other", 1);
    ClassicMember member = ClassicMember.of(server, "group").joinAlone();
    Offsets offsets = Offsets.of(server, "group");
    offsets.commit(member, topic, 0, 1);
    offsets.commit(member, other, 0, 2);
    assertThat(error(deleteOffsets("group", "topic", 0), "topic", 0))
        .isEqualTo(Errors.GROUP_SUBSCRIBED_TO_TOPIC);
    assertThat(error(deleteOffsets("group", "other", 0), "other", 0)).isEqualTo(Errors.NONE);
    assertThat(offsets.committed(topic, 0)).isEqualTo(1);
    assertThat(offsets.committed(other, 0)).isEqualTo(-1);
  }

  @Test
  void offsets_of_an_unknown_group_cannot_be_deleted() {
    OffsetDeleteResponse answer = deleteOffsets("unknown", "topic", 0);
    assertThat(Errors.forCode(answer.data().errorCode())).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
  }
}
