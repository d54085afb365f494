package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.ListGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing of the coordinator is there before it is needed; then it works at the first try. */
class FirstNeedOfGroupsTest {
  private static final String OFFSETS_TOPIC = "__consumer_offsets";

  @TempDir Path directory;
  private Set<Thread> before;
  private GroupServer server;

  @BeforeEach
  void start() throws IOException {
    before = Thread.getAllStackTraces().keySet();
    server = GroupServer.start(directory, Map.of("offsets.topic.num.partitions", "50"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private Set<String> newThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.contains("group"))
        .collect(Collectors.toSet());
  }

  private FindCoordinatorResponse find(CoordinatorKey key) {
    FindCoordinatorRequestData data =
        key.version < 4
            ? new FindCoordinatorRequestData().setKey("key")
            : new FindCoordinatorRequestData().setCoordinatorKeys(List.of("key", "other"));
    return server.ask(
        new FindCoordinatorRequest.Builder(data.setKeyType(key.type)).build(key.version),
        FindCoordinatorResponse.class);
  }

  private record CoordinatorKey(byte type, short version) {}

  @Test
  void without_a_group_request_there_is_no_topic_and_no_thread() {
    server.createTopic("topic", 1);
    assertThat(server.topics.find(OFFSETS_TOPIC)).isEmpty();
    assertThat(newThreads()).isEmpty();
  }

  @Test
  void the_first_search_for_a_coordinator_succeeds_and_makes_the_topic_as_kafka_does() {
    FindCoordinatorResponse answer = find(new CoordinatorKey((byte) 0, (short) 6));
    assertThat(answer.coordinators())
        .extracting(coordinator -> Errors.forCode(coordinator.errorCode()))
        .containsExactly(Errors.NONE, Errors.NONE);
    Topic offsets = server.topics.find(OFFSETS_TOPIC).orElseThrow();
    assertThat(offsets.partitionCount()).isEqualTo(50);
    assertThat(offsets.partition(0).orElseThrow().log().settings().values())
        .containsEntry("cleanup.policy", "compact")
        .containsEntry("segment.bytes", "104857600");
  }

  @Test
  void any_group_request_may_be_the_first() {
    Topic topic = server.createTopic("topic", 1);
    assertThat(Offsets.of(server, "group").commit(topic, 0, 1)).isEqualTo(Errors.NONE);
  }

  @Test
  void a_stop_leaves_no_thread() throws Exception {
    ClassicMember.of(server, "group").joinAlone();
    assertThat(newThreads()).isNotEmpty();
    server.close();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (!before.contains(thread) && thread.getName().contains("group")) {
        thread.join(5_000);
      }
    }
    assertThat(newThreads()).isEmpty();
  }

  @Test
  void a_stop_before_any_need_starts_nothing() throws IOException {
    server.close();
    assertThat(newThreads()).isEmpty();
  }

  @Test
  void after_a_restart_offsets_and_groups_are_there_at_the_first_request() throws IOException {
    Topic topic = server.createTopic("topic", 1);
    for (int i = 0; i < 100; i++) {
      assertThat(Offsets.of(server, "group-" + i).commit(topic, 0, i)).isEqualTo(Errors.NONE);
    }
    server = server.restart();
    for (int i = 0; i < 100; i++) {
      assertThat(Offsets.of(server, "group-" + i).committed(topic, 0)).isEqualTo(i);
    }
    assertThat(listedGroups()).isEqualTo(100);
  }

  private int listedGroups() {
    ListGroupsResponse answer =
        server.ask(
            new ListGroupsRequest.Builder(new ListGroupsRequestData()).build((short) 5),
            ListGroupsResponse.class);
    assertThat(Errors.forCode(answer.data().errorCode())).isEqualTo(Errors.NONE);
    return answer.data().groups().size();
  }

  @Test
  void the_number_of_partitions_is_the_topics_even_if_the_setting_has_changed() throws IOException {
    Topic topic = server.createTopic("topic", 1);
    Offsets.of(server, "group").commit(topic, 0, 7);
    server.close();
    server = GroupServer.start(directory, Map.of("offsets.topic.num.partitions", "3"));
    assertThat(Offsets.of(server, "group").committed(topic, 0)).isEqualTo(7);
  }

  @Test
  void when_the_offsets_topic_is_deleted_the_next_request_begins_a_new_one() {
    Topic topic = server.createTopic("topic", 1);
    Offsets.of(server, "group").commit(topic, 0, 7);
    server.deleteTopic(OFFSETS_TOPIC);
    assertThat(Offsets.of(server, "group").committed(topic, 0)).isEqualTo(-1);
    assertThat(Offsets.of(server, "group").commit(topic, 0, 8)).isEqualTo(Errors.NONE);
    assertThat(Offsets.of(server, "group").committed(topic, 0)).isEqualTo(8);
  }

  @ParameterizedTest
  @CsvSource({"2, 6, Share groups", "9, 4, Coordinators of type 9"})
  void other_kinds_of_coordinators_are_refused_with_the_reason(
      byte type, short version, String named) {
    for (Coordinator answer : find(new CoordinatorKey(type, version)).coordinators()) {
      assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.INVALID_REQUEST);
      assertThat(answer.errorMessage()).isEqualTo(named + " are not offered by this broker.");
      assertThat(answer.nodeId()).isEqualTo(-1);
    }
    assertThat(server.topics.find(OFFSETS_TOPIC)).isEmpty();
  }
}
