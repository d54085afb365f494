package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.JoinGroupResponse;
import org.apache.kafka.common.requests.SyncGroupResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker restarts while a group of static members rebalances: the group is again what it was
 * before the rebalance, and the rebalance happens anew.
 */
class RestartInsideRebalanceTest {
  private static final String GROUP = "static";

  @TempDir Path directory;
  private GroupServer server;
  private ClassicMember a;
  private ClassicMember b;
  private ClassicMember c;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.start(directory);
    server.createTopic("topic", 3);
    a = ClassicMember.fixed(server, GROUP, "a");
    a.joinAlone();
    b = ClassicMember.fixed(server, GROUP, "b");
    CompletableFuture<JoinGroupResponse> joining = b.startJoining();
    a.join();
    server.join(joining);
    CompletableFuture<SyncGroupResponse> syncing = b.startSync(Map.of());
    a.sync(Map.of(a.id, "0,1", b.id, "2"));
    server.join(syncing);
    c = ClassicMember.fixed(server, GROUP, "c");
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private void restart() throws IOException {
    server = server.restart();
    a = a.movedTo(server);
    b = b.movedTo(server);
    c = c.movedTo(server);
  }

  @Test
  void while_members_are_awaited_the_joins_that_wait_are_answered_and_can_be_made_again()
      throws IOException {
    int generation = a.generation;
    CompletableFuture<JoinGroupResponse> newcomer = c.startJoining();
    server.await(() -> b.heartbeat() == Errors.REBALANCE_IN_PROGRESS);
    CompletableFuture<JoinGroupResponse> again = a.startJoining();
    assertThat(newcomer).isNotDone();

    restart();
    assertThat(server.join(newcomer).error().exception()).isInstanceOf(RetriableException.class);
    assertThat(server.join(again).error().exception()).isInstanceOf(RetriableException.class);
    assertThat(a.heartbeat()).isEqualTo(Errors.NONE);
    assertThat(b.heartbeat()).isEqualTo(Errors.NONE);
    rebalance(generation + 1);
  }

  @Test
  void while_the_assignment_is_awaited_the_generation_that_never_was_is_refused()
      throws IOException {
    int generation = a.generation;
    CompletableFuture<JoinGroupResponse> newcomer = c.startJoining();
    server.await(() -> a.heartbeat() == Errors.REBALANCE_IN_PROGRESS);
    CompletableFuture<JoinGroupResponse> again = b.startJoining();
    assertThat(a.join().error()).isEqualTo(Errors.NONE);
    server.join(again);
    server.join(newcomer);
    assertThat(a.generation).isEqualTo(generation + 1);
    CompletableFuture<SyncGroupResponse> waiting = c.startSync(Map.of());
    assertThat(b.heartbeat()).isEqualTo(Errors.NONE);
    assertThat(waiting).isNotDone();

    restart();
    assertThat(server.join(waiting).error().exception()).isInstanceOf(RetriableException.class);
    assertThat(a.sync(Map.of(a.id, "0", b.id, "1", c.id, "2")).error())
        .isEqualTo(Errors.ILLEGAL_GENERATION);
    assertThat(b.heartbeat()).isEqualTo(Errors.ILLEGAL_GENERATION);
    assertThat(c.sync(Map.of()).error()).isEqualTo(Errors.UNKNOWN_MEMBER_ID);
    c.id = "";
    rebalance(generation + 1);
  }

  /** All three join and get an assignment; c comes as one whom the group does not know. */
  private void rebalance(int generation) {
    CompletableFuture<JoinGroupResponse> newcomer = c.startJoining();
    CompletableFuture<JoinGroupResponse> again = b.startJoining();
    server.await(() -> a.heartbeat() != Errors.NONE);
    assertThat(a.join().error()).isEqualTo(Errors.NONE);
    assertThat(server.join(again).error()).isEqualTo(Errors.NONE);
    assertThat(server.join(newcomer).error()).isEqualTo(Errors.NONE);
    assertThat(a.generation)
        .isEqualTo(b.generation)
        .isEqualTo(c.generation)
        .isGreaterThanOrEqualTo(generation);
    Map<String, String> assignments = Map.of(a.id, "0", b.id, "1", c.id, "2");
    ClassicMember leader = a.leads() ? a : b.leads() ? b : c;
    CompletableFuture<SyncGroupResponse> leaders = leader.startSync(assignments);
    server.join(leaders);
    assertThat(ClassicMember.text(a.sync(Map.of()))).isEqualTo("0");
    assertThat(ClassicMember.text(b.sync(Map.of()))).isEqualTo("1");
    assertThat(ClassicMember.text(c.sync(Map.of()))).isEqualTo("2");
    assertThat(a.heartbeat()).isEqualTo(Errors.NONE);
    assertThat(b.heartbeat()).isEqualTo(Errors.NONE);
    assertThat(c.heartbeat()).isEqualTo(Errors.NONE);
  }
}
