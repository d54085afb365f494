package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offsets go one hour after nobody needs them any more; the clock is the test's. */
class OffsetExpiryTest {
  private static final String GROUP = "group";
  private static final long MINUTE_MS = 60_000;
  private static final long CHECK_MS = 10 * MINUTE_MS;

  @TempDir Path directory;
  private GroupServer server;
  private Topic x;
  private Topic y;
  private Offsets offsets;

  @BeforeEach
  void start() throws IOException {
    server =
        GroupServer.start(
            directory,
            Map.of(
                "offsets.retention.minutes",
                "60",
                "offsets.retention.check.interval.ms",
                Long.toString(CHECK_MS)));
    x = server.createTopic("x", 1);
    y = server.createTopic("y", 1);
    offsets = Offsets.of(server, GROUP);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** Lets minutes pass, with a heartbeat of the member after each. */
  private void pass(long minutes, ClassicMember member) {
    for (long minute = 0; minute < minutes; minute++) {
      server.time.advanceMs(MINUTE_MS);
      assertThat(member.heartbeat()).isEqualTo(Errors.NONE);
    }
  }

  /** Lets minutes pass, and the expiry that came due be carried out. */
  private void pass(long minutes) {
    server.time.advanceMs(minutes * MINUTE_MS);
    groups();
  }

  private List<String> groups() {
    return server
        .ask(
            new ListGroupsRequest.Builder(new ListGroupsRequestData()).build((short) 5),
            ListGroupsResponse.class)
        .data()
        .groups()
        .stream()
        .map(ListedGroup::groupId)
        .toList();
  }

  private ClassicMember member(String... topics) {
    ClassicMember member = ClassicMember.of(server, GROUP);
    member.topics = List.of(topics);
    member.sessionTimeoutMs = (int) (5 * MINUTE_MS);
    return member.joinAlone();
  }

  @Test
  void an_active_group_keeps_its_offsets() {
    ClassicMember member = member("x");
    assertThat(offsets.commit(member, x, 0, 1)).isEqualTo(Errors.NONE);
    pass(180, member);
    assertThat(offsets.committed(x, 0)).isEqualTo(1);
  }

  @Test
  void a_group_that_became_empty_loses_them_an_hour_later() {
    ClassicMember member = member("x");
    offsets.commit(member, x, 0, 1);
    pass(50, member);
    member.leave();
    pass(59);
    assertThat(offsets.committed(x, 0)).isEqualTo(1);
    assertThat(groups()).containsExactly(GROUP);
    pass(1 + CHECK_MS / MINUTE_MS);
    assertThat(offsets.committed(x, 0)).isEqualTo(-1);
    assertThat(groups()).isEmpty();
  }

  @Test
  void commits_without_a_group_go_an_hour_after_the_last_one() {
    offsets.commit(x, 0, 1);
    offsets.commit(y, 0, 1);
    pass(40);
    offsets.commit(y, 0, 2);
    pass(30);
    assertThat(offsets.committed(x, 0)).isEqualTo(-1);
    assertThat(offsets.committed(y, 0)).isEqualTo(2);
    pass(40);
    assertThat(offsets.committed(y, 0)).isEqualTo(-1);
    assertThat(groups()).isEmpty();
  }

  @Test
  void a_group_loses_the_offsets_of_a_topic_that_it_reads_no_more_and_no_other() {
    ClassicMember member = member("x", "y");
    offsets.commit(member, x, 0, 1);
    offsets.commit(member, y, 0, 1);
    member.topics = List.of("x");
    member.joinAlone();
    pass(59, member);
    assertThat(offsets.committed(y, 0)).isEqualTo(1);
    pass(1 + CHECK_MS / MINUTE_MS, member);
    assertThat(offsets.committed(x, 0)).isEqualTo(1);
    assertThat(offsets.committed(y, 0)).isEqualTo(-1);
  }

  @Test
  void what_expired_stays_gone_after_a_restart() throws IOException {
    offsets.commit(x, 0, 1);
    pass(61 + CHECK_MS / MINUTE_MS);
    server = server.restart();
    assertThat(Offsets.of(server, GROUP).committed(x, 0)).isEqualTo(-1);
    assertThat(groups()).isEmpty();
  }
}
