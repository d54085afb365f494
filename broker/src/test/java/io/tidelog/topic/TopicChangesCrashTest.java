package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimDisk;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TopicChangesCrashTest {

  @Test
  void what_was_answered_before_a_power_cut_holds_after_it() throws Exception {
    long cuts =
        CrashSweep.<String>of(TopicChangesCrashTest::change)
            .startingWith(disk -> TestTopics.start(disk).close())
            .seeds(3)
            .afterEachCut(TopicChangesCrashTest::check);
    assertThat(cuts).isGreaterThan(30);
  }

  private static void change(SimDisk disk, Consumer<String> acknowledge) throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      Topic orders = topics.create(NewTopic.named("orders").withPartitions(2));
      acknowledge.accept("created orders");
      TestTopics.await(
          topics
              .topics()
              .admin()
              .grow(
                  List.of(new MorePartitions("orders", 3, Optional.empty())),
                  TopicAdmin.Intent.CARRY_OUT));
      acknowledge.accept("grew orders");
      topics.create(NewTopic.named("other").withConfigs(Map.of("tidelog.durability", "fsync")));
      acknowledge.accept("created other");
      acknowledge.accept("deleting orders");
      topics.delete(orders);
      acknowledge.accept("deleted orders");
      topics.create(NewTopic.named("orders"));
      acknowledge.accept("created orders anew");
    }
  }

  private static void check(SimDisk disk, List<String> acknowledged) throws Exception {
    try (TestTopics topics = TestTopics.start(disk)) {
      Optional<Topic> orders = topics.topics().find("orders");
      if (acknowledged.contains("created orders anew")) {
        assertThat(orders.orElseThrow().partitionCount()).isEqualTo(1);
      } else if (acknowledged.contains("deleted orders")) {
        assertThat(orders.map(Topic::partitionCount).orElse(1)).isEqualTo(1);
      } else if (!acknowledged.contains("deleting orders")) {
        int least = acknowledged.contains("grew orders") ? 3 : 2;
        if (acknowledged.contains("created orders")) {
          assertThat(orders.orElseThrow().partitionCount()).isGreaterThanOrEqualTo(least);
        }
      }
      if (acknowledged.contains("created other")) {
        assertThat(topics.topics().find("other")).isPresent();
      }
      everyTopicIsServed(topics);
      thereIsLifeAfterIt(topics);
    }
  }

  private static void everyTopicIsServed(TestTopics topics) {
    topics
        .topics()
        .image()
        .topics()
        .topicsByName()
        .forEach(
            (name, image) ->
                assertThat(topics.topics().find(name).orElseThrow().partitionCount())
                    .isEqualTo(image.partitions().size()));
    for (Topic topic : topics.topics().all()) {
      topic.partitions().forEach(partition -> assertThat(partition.log().isClosed()).isFalse());
    }
  }

  private static void thereIsLifeAfterIt(TestTopics topics) {
    for (Topic topic : topics.topics().all()) {
      topics.delete(topic);
    }
    assertThat(topics.create(NewTopic.named("orders").withPartitions(4)).partitionCount())
        .isEqualTo(4);
    assertThat(topics.create(NewTopic.named("other")).partitionCount()).isEqualTo(1);
  }
}
