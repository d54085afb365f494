package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A full disk is a state: requests are told to try again, and then succeed, without a restart. */
class GroupsOnFullDiskTest {
  private static final long PLENTY = 1L << 40;

  private final SimDisk disk = new SimDisk(1);
  private GroupServer server;
  private Topic topic;

  @BeforeEach
  void start() throws IOException {
    server = GroupServer.startOn(disk, Path.of("/data"), Map.of());
    topic = server.createTopic("topic", 1);
  }

  @AfterEach
  void stop() throws IOException {
    disk.limitSpace(PLENTY);
    server.close();
    disk.close();
  }

  @Test
  void a_commit_that_finds_no_room_is_not_taken_and_the_next_one_is() {
    Offsets offsets = Offsets.of(server, "group");
    assertThat(offsets.commit(topic, 0, 1)).isEqualTo(Errors.NONE);
    disk.limitSpace(0);
    assertThat(offsets.commit(topic, 0, 2)).isEqualTo(Errors.NOT_COORDINATOR);
    assertThat(offsets.committed(topic, 0)).isEqualTo(1);
    disk.limitSpace(PLENTY);
    assertThat(offsets.commit(topic, 0, 3)).isEqualTo(Errors.NONE);
    assertThat(offsets.committed(topic, 0)).isEqualTo(3);
  }

  @Test
  void a_coordinator_that_cannot_be_started_is_started_by_a_later_request() {
    disk.limitSpace(0);
    Coordinator none = find();
    assertThat(Errors.forCode(none.errorCode())).isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    assertThat(none.errorMessage()).isNotEmpty();
    assertThat(Offsets.of(server, "group").commit(topic, 0, 1))
        .isEqualTo(Errors.COORDINATOR_NOT_AVAILABLE);
    disk.limitSpace(PLENTY);
    assertThat(Errors.forCode(find().errorCode())).isEqualTo(Errors.NONE);
    assertThat(Offsets.of(server, "group").commit(topic, 0, 1)).isEqualTo(Errors.NONE);
  }

  private Coordinator find() {
    return server
        .ask(
            new FindCoordinatorRequest.Builder(
                    new FindCoordinatorRequestData().setCoordinatorKeys(List.of("group")))
                .build((short) 6),
            FindCoordinatorResponse.class)
        .coordinators()
        .get(0);
  }
}
