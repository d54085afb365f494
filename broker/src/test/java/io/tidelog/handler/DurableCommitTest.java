package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.LogView;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableCommitTest {
  @TempDir Path directory;

  @Test
  void with_fsync_a_commit_is_answered_when_it_is_on_disk_and_not_before() throws IOException {
    try (GroupServer server =
        GroupServer.start(
            directory,
            Map.of("tidelog.durability", "fsync", "offsets.topic.num.partitions", "1"))) {
      Topic topic = server.createTopic("topic", 1);
      server.join(server.groups.ready());
      Topic offsets = server.topics.find("__consumer_offsets").orElseThrow();
      CompletableFuture<OffsetCommitResponse> answer =
          server.send(
              OffsetCommitRequest.Builder.forTopicNames(
                      Offsets.of(server, "group").asNobody(topic, 0, 42))
                  .build((short) 9),
              OffsetCommitResponse.class);
      server.await(() -> view(offsets).end() > 0);
      assertThat(view(offsets).highWatermark()).isZero();
      assertThat(answer).isNotDone();
      OffsetCommitResponse done = server.join(answer);
      assertThat(done.errorCounts()).containsOnlyKeys(Errors.NONE);
      assertThat(view(offsets).highWatermark()).isEqualTo(1);
    }
  }

  private static LogView view(Topic topic) {
    return topic.partition(0).orElseThrow().log().view();
  }
}
