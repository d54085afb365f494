package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimDisk;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class TopicsSurviveRestartTest {
  private final SimDisk disk = new SimDisk(1);

  @Test
  void a_restart_shows_topics_partitions_and_configs_again() throws Exception {
    Uuid id;
    try (TestTopics first = TestTopics.start(disk)) {
      Topic topic =
          first.create(
              NewTopic.named("orders")
                  .withPartitions(3)
                  .withConfigs(Map.of("retention.ms", "1234")));
      id = topic.id();
      TestTopics.await(
          first
              .topics()
              .admin()
              .grow(
                  List.of(new MorePartitions("orders", 5, Optional.empty())),
                  TopicAdmin.Intent.CARRY_OUT));
    }
    try (TestTopics second = TestTopics.start(disk)) {
      Topic topic = second.topics().find("orders").orElseThrow();
      assertThat(topic.id()).isEqualTo(id);
      assertThat(topic.partitionCount()).isEqualTo(5);
      assertThat(topic.partition(4).orElseThrow().log().settings().retentionMs()).isEqualTo(1234);
      assertThat(second.topics().find(id)).contains(topic);
    }
  }

  @Test
  void a_deleted_topic_stays_away_and_its_name_is_free() throws Exception {
    Uuid old;
    try (TestTopics first = TestTopics.start(disk)) {
      Topic topic = first.create(NewTopic.named("orders"));
      old = topic.id();
      first.delete(topic);
      assertThat(first.topics().find("orders")).isEmpty();
      assertThat(first.topics().find(old)).isEmpty();
      assertThat(topic.partitions().get(0).log().isClosed()).isTrue();
    }
    try (TestTopics second = TestTopics.start(disk)) {
      assertThat(second.topics().all()).isEmpty();
      assertThat(second.create(NewTopic.named("orders")).id()).isNotEqualTo(old);
    }
  }

  @Test
  void the_identity_of_the_node_stays() throws Exception {
    NodeIdentity first;
    try (TestTopics topics = TestTopics.start(disk)) {
      first = topics.topics().node();
    }
    try (TestTopics topics = TestTopics.start(disk)) {
      assertThat(topics.topics().node()).isEqualTo(first);
    }
  }

  @Test
  void producer_ids_are_never_given_twice() throws Exception {
    long last;
    try (TestTopics first = TestTopics.start(disk)) {
      assertThat(TestTopics.await(first.topics().nextProducerId())).isEqualTo(0);
      long id = 0;
      for (int i = 0; i < 2500; i++) {
        long next = TestTopics.await(first.topics().nextProducerId());
        assertThat(next).isEqualTo(id + 1);
        id = next;
      }
      last = id;
    }
    try (TestTopics second = TestTopics.start(disk)) {
      assertThat(TestTopics.await(second.topics().nextProducerId())).isGreaterThan(last);
    }
  }

  @Test
  void an_unclean_stop_raises_the_leader_epochs_and_a_clean_one_does_not() throws Exception {
    TestTopics first = TestTopics.start(disk);
    first.create(NewTopic.named("orders").withPartitions(2));
    first.topics().close();
    SimDisk crashed = disk.crash(1);
    try (TestTopics second = TestTopics.start(crashed)) {
      assertThat(second.topics().find("orders").orElseThrow().partitions())
          .extracting(Partition::leaderEpoch)
          .containsExactly(1, 1);
    }
    try (TestTopics third = TestTopics.start(crashed)) {
      assertThat(third.topics().find("orders").orElseThrow().partitions())
          .extracting(Partition::leaderEpoch)
          .containsExactly(1, 1);
      assertThat(third.create(NewTopic.named("new")).partitions().get(0).leaderEpoch()).isZero();
    }
  }
}
