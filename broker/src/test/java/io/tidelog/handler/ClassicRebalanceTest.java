package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.SyncGroupRequest;
import org.apache.kafka.common.requests.SyncGroupResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassicRebalanceTest {
  private static final String GROUP = "group";

  @TempDir Path directory;
  private GroupServer server;

  private void start(Map<String, String> settings) throws IOException {
    server = GroupServer.start(directory, settings);
    server.createTopic("topic", 2);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void a_second_member_makes_the_first_one_share() throws IOException {
    start(Map.of());
    ClassicMember first = ClassicMember.of(server, GROUP).joinAlone();
    ClassicMember second = ClassicMember.of(server, GROUP);
    CompletableFuture<JoinGroupResponse> joining = second.startJoining();
    server.await(() -> first.heartbeat() == Errors.REBALANCE_IN_PROGRESS);
    assertThat(joining).isNotDone();
    JoinGroupResponse asLeader = first.join();
    server.join(joining);
    assertThat(asLeader.data().members()).hasSize(2);
    assertThat(second.generation).isEqualTo(first.generation).isEqualTo(2);
    CompletableFuture<SyncGroupResponse> waiting = second.startSync(Map.of());
    assertThat(ClassicMember.text(first.sync(Map.of(first.id, "0", second.id, "1"))))
        .isEqualTo("0");
    assertThat(ClassicMember.text(server.join(waiting))).isEqualTo("1");
    assertThat(second.heartbeat()).isEqualTo(Errors.NONE);
  }

  @Test
  void a_member_that_falls_silent_is_dropped_after_its_session_timeout() throws IOException {
    start(Map.of());
    ClassicMember member = ClassicMember.of(server, GROUP).joinAlone();
    server.time.advanceMs(ClassicMember.SESSION_TIMEOUT_MS - 1);
    assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    server.time.advanceMs(ClassicMember.SESSION_TIMEOUT_MS - 1);
    assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    server.time.advanceMs(ClassicMember.SESSION_TIMEOUT_MS);
    assertThat(member.heartbeat()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
  }

  @Test
  void a_new_group_waits_for_more_members_as_long_as_the_setting_says() throws IOException {
    start(Map.of("group.initial.rebalance.delay.ms", "3000"));
    ClassicMember member = ClassicMember.of(server, GROUP);
    CompletableFuture<JoinGroupResponse> joining = member.startJoining();
    server.await(() -> member.heartbeat() != Errors.UNKNOWN_MEMBER_ID);
    assertThat(joining).isNotDone();
    server.time.advanceMs(2_999);
    member.heartbeat();
    assertThat(joining).isNotDone();
    server.time.advanceMs(1);
    assertThat(server.join(joining).error()).isEqualTo(Errors.NONE);
  }

  @Test
  void a_sync_of_today_must_name_protocol_type_and_name() throws IOException {
    start(Map.of());
    ClassicMember member = ClassicMember.of(server, GROUP);
    member.join();
    SyncGroupResponse answer =
        server.ask(
            new SyncGroupRequest.Builder(
                    new SyncGroupRequestData()
                        .setGroupId(GROUP)
                        .setMemberId(member.id)
                        .setGenerationId(member.generation))
                .build((short) 5),
            SyncGroupResponse.class);
    assertThat(answer.error()).isEqualTo(Errors.INCONSISTENT_GROUP_PROTOCOL);
  }

  @Test
  void a_group_without_a_name_cannot_be_joined() throws IOException {
    start(Map.of());
    assertThat(ClassicMember.of(server, "").join().error()).isEqualTo(Errors.INVALID_GROUP_ID);
  }
}
