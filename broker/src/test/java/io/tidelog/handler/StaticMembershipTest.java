package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.LeaveGroupResponse;
import org.apache.kafka.common.requests.SyncGroupResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members that are the same whenever they come back, with and without restarts between steps. */
class StaticMembershipTest {
  private static final String GROUP = "static";

  enum Broker {
    STAYS,
    RESTARTS_BETWEEN_STEPS
  }

  @TempDir Path directory;
  private GroupServer server;
  private ClassicMember a;
  private ClassicMember b;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.start(directory);
    server.createTopic("topic", 2);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void step(Broker broker) throws IOException {
    if (broker == Broker.RESTARTS_BETWEEN_STEPS) {
      server = server.restart();
      a = a.movedTo(server);
      b = b.movedTo(server);
    }
  }

  /** Two members, a and b, with one partition each. */
  private void settle() {
    a = ClassicMember.fixed(server, GROUP, "a");
    a.joinAlone();
    b = ClassicMember.fixed(server, GROUP, "b");
    CompletableFuture<JoinGroupResponse> joining = b.startJoining();
    assertThat(a.join().error()).isEqualTo(Errors.NONE);
    assertThat(server.join(joining).error()).isEqualTo(Errors.NONE);
    assertThat(a.leads()).isTrue();
    CompletableFuture<SyncGroupResponse> syncing = b.startSync(Map.of());
    assertThat(ClassicMember.text(a.sync(Map.of(a.id, "0", b.id, "1")))).isEqualTo("0");
    assertThat(ClassicMember.text(server.join(syncing))).isEqualTo("1");
  }

  @ParameterizedTest
  @EnumSource(Broker.class)
  void a_replaced_instance_keeps_its_assignment_and_fences_the_one_before(Broker broker)
      throws IOException {
    settle();
    Topic topic = server.topics.find("topic").orElseThrow();
    int generation = a.generation;
    step(broker);

    ClassicMember next = ClassicMember.fixed(server, GROUP, "a");
    assertThat(next.join().error()).isEqualTo(Errors.NONE);
    assertThat(next.generation).isEqualTo(generation);
    assertThat(next.id).isNotEqualTo(a.id);
    assertThat(ClassicMember.text(next.sync(Map.of()))).isEqualTo("0");
    assertThat(b.heartbeat()).isEqualTo(Errors.NONE);

    step(broker);
    next = next.movedTo(server);
    assertThat(a.heartbeat()).isEqualTo(Errors.FENCED_INSTANCE_ID);
    assertThat(a.sync(Map.of()).error()).isEqualTo(Errors.FENCED_INSTANCE_ID);
    Offsets offsets = Offsets.of(server, GROUP);
    assertThat(
            offsets.commit(
                offsets
                    .asNobody(topic, 0, 1)
                    .setMemberId(a.id)
                    .setGroupInstanceId("a")
                    .setGenerationIdOrMemberEpoch(generation)))
        .isEqualTo(Errors.FENCED_INSTANCE_ID);
    assertThat(next.heartbeat()).isEqualTo(Errors.NONE);
  }

  @ParameterizedTest
  @EnumSource(Broker.class)
  void leaving_by_instance_id_causes_one_rebalance(Broker broker) throws IOException {
    settle();
    int generation = a.generation;
    step(broker);

    LeaveGroupResponse left = a.leave(new MemberIdentity().setMemberId("").setGroupInstanceId("b"));
    assertThat(left.error()).isEqualTo(Errors.NONE);
    assertThat(left.memberResponses())
        .singleElement()
        .matches(member -> member.groupInstanceId().equals("b"));
    assertThat(a.heartbeat()).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
    assertThat(a.join().error()).isEqualTo(Errors.NONE);
    assertThat(a.generation).isEqualTo(generation + 1);
    a.sync(Map.of(a.id, "0,1"));

    step(broker);
    assertThat(a.heartbeat()).isEqualTo(Errors.NONE);
    assertThat(b.heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
  }

  @ParameterizedTest
  @EnumSource(Broker.class)
  void an_instance_that_does_not_come_back_in_time_is_dropped(Broker broker) throws IOException {
    settle();
    step(broker);
    assertThat(a.heartbeat()).isEqualTo(Errors.NONE);
    server.time.advanceMs(ClassicMember.SESSION_TIMEOUT_MS - 1);
    assertThat(a.heartbeat()).isEqualTo(Errors.NONE);
    server.time.advanceMs(1);
    assertThat(a.heartbeat()).isEqualTo(Errors.REBALANCE_IN_PROGRESS);
    assertThat(a.join().error()).isEqualTo(Errors.NONE);
    assertThat(a.leads()).isTrue();
  }
}
