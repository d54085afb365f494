package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.TestTopics;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which names topics may have, when they are created on request and on demand. */
class TopicNamesTest {
  private static final String LONGEST = "x".repeat(249);

  private final SimDisk disk = new SimDisk(23);
  private TopicServer server;

  @BeforeEach
  void start() throws Exception {
    server = TopicServer.start(disk, java.util.Map.of());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  static Stream<String> illegal() {
    return Stream.of(
        "x".repeat(250), "", ".", "..", "a/b", "../a", "a\\b", "a b", "ü", "a\u0000b", "a:b");
  }

  @ParameterizedTest
  @MethodSource("illegal")
  void an_illegal_name_is_refused_and_leaves_nothing(String name) throws Exception {
    List<String> before = disk.list(TestTopics.DATA);
    List<String> outside = disk.list(Path.of("/"));
    assertThat(Errors.forCode(create(name, 1).errorCode()))
        .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    assertThat(Errors.forCode(ask(name).errorCode())).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    assertThat(server.topics().topics().all()).isEmpty();
    assertThat(disk.list(TestTopics.DATA)).isEqualTo(before);
    assertThat(disk.list(Path.of("/"))).isEqualTo(outside);
  }

  @Test
  void the_name_of_the_metadata_log_is_refused_however_it_is_asked_for() throws Exception {
    assertThat(create("orders", 1).errorCode()).isEqualTo(Errors.NONE.code());
    List<String> before = disk.list(TestTopics.DATA);
    assertThat(Errors.forCode(ask("__cluster_metadata").errorCode()))
        .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    assertThat(create("__cluster_metadata", 1).errorCode()).isNotEqualTo(Errors.NONE.code());
    assertThat(disk.list(TestTopics.DATA)).isEqualTo(before);
    server.close();
    server = TopicServer.start(disk, java.util.Map.of());
    assertThat(ask("orders").partitions()).hasSize(1);
  }

  @Test
  void the_longest_name_works_from_creation_to_deletion_with_a_thousand_partitions()
      throws Exception {
    assertThat(create(LONGEST, 1001).errorCode()).isEqualTo(Errors.NONE.code());
    assertThat(ask(LONGEST).partitions()).hasSize(1001);
    server.topics().delete(server.topics().topics().find(LONGEST).orElseThrow());
    assertThat(disk.list(TestTopics.DATA)).noneMatch(name -> name.equals(LONGEST + "-1000"));
    assertThat(disk.list(TestTopics.DATA)).allMatch(name -> name.length() <= 255);
  }

  @Test
  void names_that_metrics_cannot_tell_apart_collide() throws Exception {
    assertThat(create("a.b", 1).errorCode()).isEqualTo(Errors.NONE.code());
    CreatableTopicResult result = create("a_b", 1);
    assertThat(Errors.forCode(result.errorCode())).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    assertThat(result.errorMessage()).contains("a_b", "a.b");
    assertThat(Errors.forCode(ask("a_b").errorCode())).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    assertThat(ask("a.b").partitions()).hasSize(1);
  }

  @Test
  void names_that_collide_within_a_request_are_refused_from_the_second_on() throws Exception {
    CreateTopicsRequestData asked = new CreateTopicsRequestData();
    asked.topics().add(wish("a.b", 1));
    asked.topics().add(wish("a_b", 1));
    var answer =
        server.ask(new CreateTopicsRequest.Builder(asked).build(), CreateTopicsResponse.class);
    assertThat(answer.data().topics().find("a.b").errorCode()).isEqualTo(Errors.NONE.code());
    assertThat(answer.data().topics().find("a_b").errorCode())
        .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
  }

  private static CreatableTopic wish(String name, int partitions) {
    return new CreatableTopic()
        .setName(name)
        .setNumPartitions(partitions)
        .setReplicationFactor((short) 1);
  }

  private CreatableTopicResult create(String name, int partitions) throws Exception {
    CreateTopicsRequestData asked = new CreateTopicsRequestData();
    asked.topics().add(wish(name, partitions));
    return server
        .ask(new CreateTopicsRequest.Builder(asked).build(), CreateTopicsResponse.class)
        .data()
        .topics()
        .find(name);
  }

  private MetadataResponseTopic ask(String name) throws Exception {
    MetadataRequestData asked = new MetadataRequestData().setAllowAutoTopicCreation(true);
    asked.topics().add(new MetadataRequestTopic().setName(name));
    return server
        .ask(new MetadataRequest(asked, (short) 13), MetadataResponse.class)
        .data()
        .topics()
        .find(name);
  }
}
