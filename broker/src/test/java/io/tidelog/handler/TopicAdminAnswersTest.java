package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.TestTopics;
import io.tidelog.topic.Topic;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreatePartitionsResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What administrators are told about wishes that can and cannot be met. */
class TopicAdminAnswersTest {
  private TopicServer server;

  @BeforeEach
  void start() throws Exception {
    server = TopicServer.start(new SimDisk(11), Map.of("num.partitions", "4"));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static CreatableTopic topic(String name, int partitions, int replicationFactor) {
    return new CreatableTopic()
        .setName(name)
        .setNumPartitions(partitions)
        .setReplicationFactor((short) replicationFactor);
  }

  private CreateTopicsResponseData create(CreateTopicsRequestData asked) throws Exception {
    return server
        .ask(new CreateTopicsRequest.Builder(asked).build(), CreateTopicsResponse.class)
        .data();
  }

  private CreatableTopicResult create(CreatableTopic wish) throws Exception {
    CreateTopicsRequestData asked = new CreateTopicsRequestData();
    asked.topics().add(wish);
    return create(asked).topics().find(wish.name());
  }

  private void assertRefused(CreatableTopic wish, Errors error, String... words) throws Exception {
    CreatableTopicResult result = create(wish);
    assertThat(Errors.forCode(result.errorCode())).isEqualTo(error);
    for (String word : words) {
      assertThat(result.errorMessage()).contains(word);
    }
    assertThat(server.topics().topics().find(wish.name())).isEmpty();
    assertThat(server.topics().store().find(partition(wish.name()))).isEmpty();
  }

  private static TopicPartition partition(String topic) {
    return new TopicPartition(topic, 0);
  }

  @Test
  void minus_one_means_the_defaults() throws Exception {
    CreatableTopicResult result = create(topic("orders", -1, -1));
    assertThat(result.errorCode()).isEqualTo(Errors.NONE.code());
    assertThat(result.errorMessage()).isNull();
    assertThat(result.numPartitions()).isEqualTo(4);
    assertThat(result.replicationFactor()).isEqualTo((short) 1);
  }

  @Test
  void numbers_that_make_no_sense_are_refused() throws Exception {
    assertRefused(topic("a", 0, 1), Errors.INVALID_PARTITIONS);
    assertRefused(topic("a", -2, 1), Errors.INVALID_PARTITIONS);
    assertRefused(topic("a", 1, 0), Errors.INVALID_REPLICATION_FACTOR);
    assertRefused(topic("a", 1, -2), Errors.INVALID_REPLICATION_FACTOR);
    assertRefused(topic("a", 1, 3), Errors.INVALID_REPLICATION_FACTOR, "3 time(s)", "1 broker");
  }

  @Test
  void too_many_partitions_in_one_request_are_refused_before_anything_is_made() throws Exception {
    CreatableTopicResult result = create(topic("a", Integer.MAX_VALUE, 1));
    assertThat(Errors.forCode(result.errorCode())).isEqualTo(Errors.POLICY_VIOLATION);
    assertThat(server.topics().topics().all()).isEmpty();
  }

  @Test
  void configs_that_make_no_sense_are_refused() throws Exception {
    assertRefused(with("a", "no.such.config", "1"), Errors.INVALID_CONFIG, "no.such.config");
    assertRefused(with("a", "retention.ms", "soon"), Errors.INVALID_CONFIG, "retention.ms");
    assertRefused(with("a", "segment.bytes", "1"), Errors.INVALID_CONFIG, "segment.bytes");
    assertRefused(with("a", "retention.ms", null), Errors.INVALID_CONFIG, "retention.ms");
    assertRefused(
        with("a", "remote.storage.enable", "true"), Errors.INVALID_CONFIG, "tiered storage");
    assertRefused(with("a", "tidelog.durability", "maybe"), Errors.INVALID_CONFIG, "fsync");
  }

  @Test
  void configs_without_effect_on_one_node_are_accepted() throws Exception {
    for (CreatableTopic wish :
        List.of(
            with("a", "min.insync.replicas", "2"),
            with("b", "cleanup.policy", "compact"),
            with("c", "cleanup.policy", "compact,delete"),
            with("d", "unclean.leader.election.enable", "true"),
            with("e", "leader.replication.throttled.replicas", "*"),
            with("f", "tidelog.durability", "fsync"))) {
      assertThat(create(wish).errorCode()).isEqualTo(Errors.NONE.code());
    }
  }

  private static CreatableTopic with(String name, String config, String value) {
    CreatableTopic wish = topic(name, 1, 1);
    wish.configs().add(new CreatableTopicConfig().setName(config).setValue(value));
    return wish;
  }

  @Test
  void a_manual_assignment_must_name_this_node_and_every_partition_once() throws Exception {
    assertThat(create(assigned("ok", List.of(0, 1), 1)).numPartitions()).isEqualTo(2);
    assertRefused(assigned("a", List.of(0), 7), Errors.INVALID_REPLICA_ASSIGNMENT, "broker 7");
    assertRefused(assigned("a", List.of(0), 1, 1), Errors.INVALID_REPLICA_ASSIGNMENT, "once");
    assertRefused(assigned("a", List.of(0)), Errors.INVALID_REPLICA_ASSIGNMENT, "empty");
    assertRefused(assigned("a", List.of(1), 1), Errors.INVALID_REPLICA_ASSIGNMENT, "gaps");
    assertRefused(assigned("a", List.of(0, 0), 1), Errors.INVALID_REPLICA_ASSIGNMENT, "0");
    assertRefused(assigned("a", List.of(0), 1).setNumPartitions(1), Errors.INVALID_REQUEST, "-1");
  }

  private static CreatableTopic assigned(String name, List<Integer> partitions, Integer... nodes) {
    CreatableTopic wish = topic(name, -1, -1);
    for (int partition : partitions) {
      wish.assignments()
          .add(
              new CreatableReplicaAssignment()
                  .setPartitionIndex(partition)
                  .setBrokerIds(List.of(nodes)));
    }
    return wish;
  }

  @Test
  void each_wish_of_a_request_counts_for_itself() throws Exception {
    server.create("there", 1);
    CreateTopicsRequestData asked = new CreateTopicsRequestData();
    asked.topics().add(topic("good", 2, 1));
    asked.topics().add(topic("there", 1, 1));
    asked.topics().add(topic("twice", 1, 1));
    asked.topics().add(topic("twice", 2, 1));
    asked.topics().add(topic("__cluster_metadata", 1, 1));
    CreateTopicsResponseData answer = create(asked);
    assertThat(answer.topics()).hasSize(4);
    assertThat(error(answer, "good")).isEqualTo(Errors.NONE);
    assertThat(error(answer, "there")).isEqualTo(Errors.TOPIC_ALREADY_EXISTS);
    assertThat(error(answer, "twice")).isEqualTo(Errors.INVALID_REQUEST);
    assertThat(error(answer, "__cluster_metadata")).isEqualTo(Errors.INVALID_REQUEST);
    assertThat(server.topics().topics().find("good").orElseThrow().partitionCount()).isEqualTo(2);
    assertThat(server.topics().topics().find("twice")).isEmpty();
  }

  private static Errors error(CreateTopicsResponseData answer, String topic) {
    return Errors.forCode(answer.topics().find(topic).errorCode());
  }

  @Test
  void validate_only_changes_nothing() throws Exception {
    CreateTopicsRequestData asked = new CreateTopicsRequestData().setValidateOnly(true);
    asked.topics().add(topic("orders", 3, 1));
    assertThat(create(asked).topics().find("orders").numPartitions()).isEqualTo(3);
    assertThat(server.topics().topics().all()).isEmpty();
    assertThat(create(topic("orders", 3, 1)).errorCode()).isEqualTo(Errors.NONE.code());
  }

  @Test
  void topics_only_grow() throws Exception {
    server.create("orders", 2);
    assertThat(grow("orders", 2, null)).isEqualTo(Errors.INVALID_PARTITIONS);
    assertThat(grow("orders", 1, null)).isEqualTo(Errors.INVALID_PARTITIONS);
    assertThat(grow("none", 3, null)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(grow("orders", 4, List.of(List.of(1)))).isEqualTo(Errors.INVALID_REPLICA_ASSIGNMENT);
    assertThat(grow("orders", 3, List.of(List.of(2)))).isEqualTo(Errors.INVALID_REPLICA_ASSIGNMENT);
    assertThat(grow("orders", 1_000_000, null)).isEqualTo(Errors.POLICY_VIOLATION);
    assertThat(grow("orders", 4, List.of(List.of(1), List.of(1)))).isEqualTo(Errors.NONE);
    assertThat(server.topics().topics().find("orders").orElseThrow().partitionCount()).isEqualTo(4);
  }

  private Errors grow(String topic, int count, List<List<Integer>> assignments) throws Exception {
    CreatePartitionsRequestData asked = new CreatePartitionsRequestData();
    asked
        .topics()
        .add(
            new CreatePartitionsTopic()
                .setName(topic)
                .setCount(count)
                .setAssignments(
                    assignments == null
                        ? null
                        : assignments.stream()
                            .map(nodes -> new CreatePartitionsAssignment().setBrokerIds(nodes))
                            .toList()));
    return Errors.forCode(
        server
            .ask(new CreatePartitionsRequest.Builder(asked).build(), CreatePartitionsResponse.class)
            .data()
            .results()
            .get(0)
            .errorCode());
  }

  @Test
  void the_partitions_of_the_groups_topic_stay_as_they_are() throws Exception {
    TestTopics.await(server.topics().topics().findOrCreate("__consumer_offsets"));
    assertThat(grow("__consumer_offsets", 60, null)).isEqualTo(Errors.INVALID_REQUEST);
  }

  @Test
  void deletion_tells_what_it_does_not_find_and_what_is_named_twice() throws Exception {
    Topic orders = server.create("orders", 1);
    Uuid unknown = new Uuid(1, 2);
    DeleteTopicsResponseData answer =
        delete(
            new DeleteTopicState().setName("none"),
            new DeleteTopicState().setName(null).setTopicId(unknown),
            new DeleteTopicState().setName(null),
            new DeleteTopicState().setName("both").setTopicId(unknown),
            new DeleteTopicState().setName("orders"),
            new DeleteTopicState().setName(null).setTopicId(orders.id()));
    assertThat(answer.responses())
        .extracting(result -> Errors.forCode(result.errorCode()))
        .containsExactlyInAnyOrder(
            Errors.UNKNOWN_TOPIC_OR_PARTITION,
            Errors.UNKNOWN_TOPIC_ID,
            Errors.INVALID_REQUEST,
            Errors.INVALID_REQUEST,
            Errors.INVALID_REQUEST,
            Errors.NONE);
    assertThat(server.topics().topics().find("orders")).isEmpty();
  }

  private DeleteTopicsResponseData delete(DeleteTopicState... states) throws Exception {
    DeleteTopicsRequestData asked = new DeleteTopicsRequestData().setTopics(List.of(states));
    return server
        .ask(new DeleteTopicsRequest.Builder(asked).build(), DeleteTopicsResponse.class)
        .data();
  }
}
