package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The protocol of KIP-848, in which the broker assigns partitions. */
class ConsumerGroupTest {
  private static final int SESSION_TIMEOUT_MS = 45_000;

  @TempDir Path directory;
  private GroupServer server;
  private Topic topic;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.start(directory, Map.of("group.consumer.assignment.interval.ms", "0"));
    topic = server.createTopic("topic", 4);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** A member that owns what it was given. */
  private final class Member {
    private final String id = Uuid.randomUuid().toString();
    private List<TopicPartitions> owned = List.of();
    private int epoch;

    Errors join(String... topics) {
      return beat(base().setMemberEpoch(0).setSubscribedTopicNames(List.of(topics)));
    }

    Errors joinByPattern(String regex) {
      return beat(base().setMemberEpoch(0).setSubscribedTopicRegex(regex));
    }

    Errors heartbeat() {
      return beat(
          new ConsumerGroupHeartbeatRequestData()
              .setGroupId("group")
              .setMemberId(id)
              .setMemberEpoch(epoch)
              .setTopicPartitions(ownedAsRequest()));
    }

    private ConsumerGroupHeartbeatRequestData base() {
      return new ConsumerGroupHeartbeatRequestData()
          .setGroupId("group")
          .setMemberId(id)
          .setRebalanceTimeoutMs(30_000)
          .setTopicPartitions(List.of());
    }

    private List<ConsumerGroupHeartbeatRequestData.TopicPartitions> ownedAsRequest() {
      return owned.stream()
          .map(
              part ->
                  new ConsumerGroupHeartbeatRequestData.TopicPartitions()
                      .setTopicId(part.topicId())
                      .setPartitions(part.partitions()))
          .toList();
    }

    private Errors beat(ConsumerGroupHeartbeatRequestData request) {
      ConsumerGroupHeartbeatResponseData answer =
          server
              .ask(
                  new ConsumerGroupHeartbeatRequest.Builder(request).build((short) 1),
                  ConsumerGroupHeartbeatResponse.class)
              .data();
      if (answer.errorCode() == Errors.NONE.code()) {
        epoch = answer.memberEpoch();
        if (answer.assignment() != null) {
          owned = answer.assignment().topicPartitions();
        }
      }
      return Errors.forCode(answer.errorCode());
    }

    List<Integer> partitionsOf(Topic wanted) {
      List<Integer> partitions = new ArrayList<>();
      owned.stream()
          .filter(part -> part.topicId().equals(wanted.id()))
          .forEach(part -> partitions.addAll(part.partitions()));
      return partitions;
    }
  }

  @Test
  void two_members_come_to_share_the_partitions() {
    Member first = new Member();
    assertThat(first.join("topic")).isEqualTo(Errors.NONE);
    assertThat(first.partitionsOf(topic)).containsExactly(0, 1, 2, 3);
    Member second = new Member();
    assertThat(second.join("topic")).isEqualTo(Errors.NONE);
    for (int round = 0; round < 5; round++) {
      assertThat(first.heartbeat()).isEqualTo(Errors.NONE);
      assertThat(second.heartbeat()).isEqualTo(Errors.NONE);
    }
    List<Integer> all = new ArrayList<>(first.partitionsOf(topic));
    all.addAll(second.partitionsOf(topic));
    assertThat(all).containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(first.partitionsOf(topic)).hasSize(2);
  }

  @Test
  void a_topic_created_later_is_assigned_at_the_next_heartbeat() {
    Member member = new Member();
    member.join("topic", "later");
    assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    Topic later = server.createTopic("later", 2);
    assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    assertThat(member.partitionsOf(later)).containsExactly(0, 1);
    assertThat(member.partitionsOf(topic)).hasSize(4);
  }

  @Test
  void a_topic_that_is_deleted_is_taken_away_again() {
    Topic other = server.createTopic("other", 1);
    Member member = new Member();
    member.join("topic", "other");
    assertThat(member.partitionsOf(other)).containsExactly(0);
    server.deleteTopic("other");
    server.await(() -> member.heartbeat() == Errors.NONE && member.partitionsOf(other).isEmpty());
    assertThat(member.partitionsOf(topic)).hasSize(4);
  }

  @Test
  void a_pattern_finds_topics() {
    server.createTopic("unrelated", 1);
    Member member = new Member();
    assertThat(member.joinByPattern("top.*")).isEqualTo(Errors.NONE);
    server.await(() -> member.heartbeat() == Errors.NONE && !member.partitionsOf(topic).isEmpty());
    assertThat(member.owned).hasSize(1);
  }

  @Test
  void a_silent_member_is_dropped_after_its_session_timeout() {
    Member member = new Member();
    member.join("topic");
    server.time.advanceMs(SESSION_TIMEOUT_MS - 1);
    assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    server.time.advanceMs(SESSION_TIMEOUT_MS);
    assertThat(member.heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
  }

  @Test
  void members_and_their_assignment_survive_a_restart() throws IOException {
    Member member = new Member();
    member.join("topic");
    int epoch = member.epoch;
    server = server.restart();
    assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    assertThat(member.epoch).isEqualTo(epoch);
    Offsets offsets = Offsets.of(server, "group");
    assertThat(
            offsets.commit(
                offsets
                    .asNobody(topic, 3, 12)
                    .setMemberId(member.id)
                    .setGenerationIdOrMemberEpoch(member.epoch)))
        .isEqualTo(Errors.NONE);
    assertThat(offsets.committed(topic, 3)).isEqualTo(12);
  }

  @Test
  void a_classic_member_cannot_be_mistaken_for_one_of_this_protocol() {
    ClassicMember.of(server, "classic").joinAlone();
    ConsumerGroupHeartbeatResponse answer =
        server.ask(
            new ConsumerGroupHeartbeatRequest.Builder(
                    new ConsumerGroupHeartbeatRequestData()
                        .setGroupId("classic")
                        .setMemberId("unknown")
                        .setMemberEpoch(5))
                .build((short) 1),
            ConsumerGroupHeartbeatResponse.class);
    assertThat(Errors.forCode(answer.data().errorCode())).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
  }
}
