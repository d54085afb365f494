package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffsetsOfDeletedTopicsTest {
  @TempDir Path directory;
  private GroupServer server;
  private Topic topic;
  private Topic other;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.start(directory);
    topic = server.createTopic("topic", 1);
    other = server.createTopic("other", 1);
    for (int group = 0; group < 10; group++) {
      Offsets offsets = Offsets.of(server, "group-" + group);
      offsets.commit(topic, 0, 5);
      offsets.commit(other, 0, 6);
    }
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private List<String> topicsWithOffsets(int group) {
    return Offsets.of(server, "group-" + group)
        .fetch(null)
        .group("group-" + group)
        .topics()
        .stream()
        .map(OffsetFetchResponseTopics::name)
        .toList();
  }

  /** The offsets of a deleted topic go a moment after the deletion is answered. */
  private void awaitGone() {
    for (int i = 0; i < 10; i++) {
      int group = i;
      server.await(() -> !topicsWithOffsets(group).contains("topic"));
      assertThat(topicsWithOffsets(group)).contains("other");
    }
  }

  @Test
  void they_go_for_every_group_and_stay_gone() throws IOException {
    server.deleteTopic("topic");
    awaitGone();
    server = server.restart();
    for (int group = 0; group < 10; group++) {
      assertThat(topicsWithOffsets(group)).containsExactly("other");
    }
  }

  @Test
  void a_new_topic_of_the_same_name_has_none_from_its_first_moment() {
    server.deleteTopic("topic");
    Topic next = server.createTopic("topic", 1);
    Offsets byName = Offsets.of(server, "group-0");
    Offsets byId = new Offsets(server, "group-0", 10);
    assertThat(byName.committed(next, 0)).isEqualTo(-1);
    assertThat(byId.committed(next, 0)).isEqualTo(-1);
    awaitGone();
    assertThat(byName.commit(next, 0, 9)).isEqualTo(Errors.NONE);
    assertThat(byId.committed(next, 0)).isEqualTo(9);
    assertThat(byName.committed(next, 0)).isEqualTo(9);
  }

  @Test
  void the_old_id_is_unknown_while_other_topics_of_the_request_are_answered() {
    server.deleteTopic("topic");
    OffsetFetchResponse answer =
        new Offsets(server, "group-0", 10)
            .fetch(List.of(Offsets.wanted(topic, 0), Offsets.wanted(other, 0)));
    for (OffsetFetchResponseTopics found : answer.group("group-0").topics()) {
      boolean isKnown = found.topicId().equals(other.id());
      assertThat(Errors.forCode(found.partitions().get(0).errorCode()))
          .isEqualTo(isKnown ? Errors.NONE : Errors.UNKNOWN_TOPIC_ID);
      assertThat(found.partitions().get(0).committedOffset()).isEqualTo(isKnown ? 6 : -1);
    }
    assertThat(answer.group("group-0").topics()).hasSize(2);
  }

  @Test
  void they_go_even_if_the_topic_is_deleted_before_the_groups_are_loaded() throws IOException {
    server = server.restart();
    server.deleteTopic("topic");
    awaitGone();
  }

  @Test
  void several_groups_are_answered_at_once_each_for_itself() {
    OffsetFetchResponse answer =
        Offsets.of(server, "")
            .fetchGroups(
                List.of(
                    new OffsetFetchRequestGroup().setGroupId("group-1").setTopics(null),
                    new OffsetFetchRequestGroup()
                        .setGroupId("group-2")
                        .setTopics(List.of(Offsets.wanted(other, 0))),
                    new OffsetFetchRequestGroup()
                        .setGroupId("unknown")
                        .setTopics(
                            List.of(
                                new OffsetFetchRequestTopics()
                                    .setName("nowhere")
                                    .setTopicId(Uuid.ZERO_UUID)
                                    .setPartitionIndexes(List.of(3))))));
    assertThat(answer.group("group-1").topics()).hasSize(2);
    assertThat(answer.group("group-2").topics()).hasSize(1);
    assertThat(answer.group("unknown").topics().get(0).partitions().get(0).committedOffset())
        .isEqualTo(-1);
  }
}
