package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.junit.jupiter.api.Test;

class TopicsTest {
  private final SimDisk disk = new SimDisk(9);

  @Test
  void calls_at_the_same_time_for_one_name_get_the_same_topic() throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      List<CompletableFuture<Topic>> calls = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        calls.add(topics.topics().findOrCreate("orders"));
      }
      Topic first = TestTopics.await(calls.get(0));
      for (CompletableFuture<Topic> call : calls) {
        assertThat(TestTopics.await(call)).isEqualTo(first);
      }
      assertThat(topics.topics().all()).containsExactly(first);
    }
  }

  @Test
  void changes_that_wait_together_share_an_fsync() throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      CompletableFuture<Void> gate = new CompletableFuture<>();
      topics.topics().addListener((delta, image) -> gate.join());
      CompletableFuture<Topic> first = topics.topics().findOrCreate("first");
      List<CompletableFuture<Topic>> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(topics.topics().findOrCreate("topic-" + i));
      }
      long[] syncs = new long[1];
      disk.failWhen(
          call -> {
            boolean isSync =
                call.kind() == DiskCall.Kind.SYNC
                    && call.path().toString().contains("__cluster_metadata-0/")
                    && call.path().toString().endsWith(".log");
            syncs[0] += isSync ? 1 : 0;
            return false;
          });
      gate.complete(null);
      TestTopics.await(first);
      for (CompletableFuture<Topic> topic : waiting) {
        TestTopics.await(topic);
      }
      assertThat(syncs[0]).isLessThan(5);
    }
  }

  @Test
  void the_topic_of_the_groups_is_created_as_kafka_creates_it() throws Exception {
    try (TestTopics topics = TestTopics.start(disk, Map.of("auto.create.topics.enable", "false"))) {
      Topic offsets = TestTopics.await(topics.topics().findOrCreate("__consumer_offsets"));
      assertThat(offsets.partitionCount()).isEqualTo(50);
      assertThat(offsets.isInternal()).isTrue();
      assertThat(offsets.partition(49).orElseThrow().log().settings().compacts()).isTrue();
      assertThat(offsets.partition(49).orElseThrow().log().settings().segmentBytes())
          .isEqualTo(104857600);
      Topic transactions = TestTopics.await(topics.topics().findOrCreate("__transaction_state"));
      assertThat(transactions.partitionCount()).isEqualTo(50);
      assertThat(transactions.isInternal()).isTrue();
      assertThat(
              topics
                  .topics()
                  .image()
                  .configs()
                  .configMapForResource(ConfigLookup.topic("__transaction_state")))
          .containsEntry("min.insync.replicas", "1")
          .containsEntry("cleanup.policy", "compact");
    }
  }

  @Test
  void what_may_not_be_created_on_demand_is_refused() throws Exception {
    try (TestTopics topics = TestTopics.start(disk, Map.of("auto.create.topics.enable", "false"))) {
      assertThatThrownBy(() -> TestTopics.await(topics.topics().findOrCreate("orders")))
          .isInstanceOf(UnknownTopicOrPartitionException.class);
      assertThatThrownBy(() -> TestTopics.await(topics.topics().findOrCreate("a/b")))
          .isInstanceOf(InvalidTopicException.class);
      assertThatThrownBy(
              () -> TestTopics.await(topics.topics().findOrCreate("__share_group_state")))
          .isInstanceOf(UnknownTopicOrPartitionException.class);
    }
  }

  @Test
  void listeners_hear_of_changes_in_order_when_lookups_show_them() throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      List<String> heard = new ArrayList<>();
      topics
          .topics()
          .addListener(
              new TopicsListener() {
                @Override
                public void changed(MetadataDelta delta, MetadataImage image) {
                  heard.add("changed, served: " + topics.topics().find("orders").isPresent());
                  assertThat(topics.topics().image()).isSameAs(image);
                }

                @Override
                public void deleted(Topic topic) {
                  heard.add("deleted, closed: " + topic.partitions().get(0).log().isClosed());
                }
              });
      Topic topic = topics.create(NewTopic.named("orders"));
      topics.delete(topic);
      assertThat(heard)
          .containsExactly(
              "changed, served: true", "changed, served: false", "deleted, closed: true");
    }
  }

  @Test
  void a_topic_whose_logs_cannot_be_created_is_never_recorded() throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      disk.failWhen(call -> call.path().toString().contains("orders-1"));
      assertThatThrownBy(() -> topics.create(NewTopic.named("orders").withPartitions(3)))
          .isInstanceOf(KafkaStorageException.class);
      assertThat(topics.topics().find("orders")).isEmpty();
      assertThat(topics.topics().image().topics().getTopic("orders")).isNull();
      disk.heal();
      assertThat(topics.create(NewTopic.named("orders").withPartitions(3)).partitionCount())
          .isEqualTo(3);
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().find("orders").orElseThrow().partitionCount()).isEqualTo(3);
    }
  }

  @Test
  void a_metadata_log_that_cannot_be_synced_refuses_changes_until_a_restart() throws Exception {
    TestTopics topics = TestTopics.start(disk);
    disk.failWhen(
        call ->
            call.kind() == DiskCall.Kind.SYNC
                && call.path().startsWith(TestTopics.DATA.resolve("__cluster_metadata-0")));
    assertThatThrownBy(() -> topics.create(NewTopic.named("orders")))
        .isInstanceOf(KafkaStorageException.class);
    disk.heal();
    assertThatThrownBy(() -> topics.create(NewTopic.named("other")))
        .isInstanceOf(KafkaStorageException.class);
    assertThat(topics.topics().all()).isEmpty();
    assertThatThrownBy(topics::close).isInstanceOf(IOException.class);
    try (TestTopics again = TestTopics.start(disk)) {
      assertThat(again.create(NewTopic.named("other")).partitionCount()).isEqualTo(1);
    }
  }

  @Test
  void after_a_stop_changes_are_refused() throws Exception {
    TestTopics topics = TestTopics.start(disk);
    topics.close();
    assertThatThrownBy(() -> topics.create(NewTopic.named("orders")))
        .isInstanceOf(KafkaStorageException.class);
  }
}
