package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreatePartitionsResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.apache.kafka.common.requests.DescribeTopicPartitionsRequest;
import org.apache.kafka.common.requests.DescribeTopicPartitionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every API about topics works at every version that is offered, with real request objects. */
class TopicApisAtEveryVersionTest extends AtEveryVersion {
  @TestFactory
  Stream<DynamicTest> metadata() {
    return each(
        ApiKeys.METADATA,
        version -> {
          MetadataRequestData asked = new MetadataRequestData();
          asked.topics().add(new MetadataRequestTopic().setName("orders"));
          asked.topics().add(new MetadataRequestTopic().setName("a b"));
          if (version >= 8) {
            asked.setIncludeTopicAuthorizedOperations(true);
            asked.setIncludeClusterAuthorizedOperations(version <= 10);
          }
          MetadataResponseData answer =
              server.ask(new MetadataRequest(asked, version), MetadataResponse.class).data();
          assertThat(answer.brokers().find(1).host()).isEqualTo("127.0.0.1");
          assertThat(answer.brokers().find(1).port()).isEqualTo(server.address().getPort());
          MetadataResponseTopic topic = answer.topics().find("orders");
          assertThat(topic.errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(topic.partitions()).hasSize(2);
          assertThat(topic.partitions().get(1).leaderId()).isEqualTo(1);
          assertThat(topic.partitions().get(1).isrNodes()).containsExactly(1);
          assertThat(answer.topics().find("a b").errorCode())
              .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
          if (version >= 8) {
            assertThat(topic.topicAuthorizedOperations()).isEqualTo(AllOperations.ON_TOPIC);
          }
          if (version >= 10) {
            assertThat(topic.topicId()).isEqualTo(orders.id());
          }
          if (version >= 2) {
            assertThat(answer.clusterId()).hasSize(22);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> all_topics() {
    return each(
        ApiKeys.METADATA,
        version -> {
          MetadataRequestData asked = new MetadataRequestData();
          asked.setTopics(version == 0 ? List.of() : null);
          MetadataResponseData answer =
              server.ask(new MetadataRequest(asked, version), MetadataResponse.class).data();
          assertThat(answer.topics()).hasSize(1);
        });
  }

  @TestFactory
  Stream<DynamicTest> create_topics() {
    return each(
        ApiKeys.CREATE_TOPICS,
        version -> {
          CreateTopicsRequestData asked = new CreateTopicsRequestData();
          CreateTopicsRequestData.CreatableTopic topic =
              new CreateTopicsRequestData.CreatableTopic()
                  .setName("new-" + version)
                  .setNumPartitions(3)
                  .setReplicationFactor((short) 1);
          topic
              .configs()
              .add(
                  new CreateTopicsRequestData.CreatableTopicConfig()
                      .setName("segment.ms")
                      .setValue("99"));
          asked.topics().add(topic);
          asked.topics().add(topic.duplicate().setName("..").setNumPartitions(1));
          var answer =
              server
                  .ask(
                      new CreateTopicsRequest.Builder(asked).build(version),
                      CreateTopicsResponse.class)
                  .data();
          CreatableTopicResult made = answer.topics().find("new-" + version);
          assertThat(made.errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(answer.topics().find("..").errorCode())
              .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
          if (version >= 5) {
            assertThat(made.numPartitions()).isEqualTo(3);
            assertThat(made.replicationFactor()).isEqualTo((short) 1);
            assertThat(made.configs())
                .anySatisfy(
                    config -> {
                      assertThat(config.name()).isEqualTo("segment.ms");
                      assertThat(config.value()).isEqualTo("99");
                      assertThat(config.configSource()).isEqualTo((byte) 1);
                    });
          }
          if (version >= 7) {
            assertThat(made.topicId())
                .isEqualTo(server.topics().topics().find("new-" + version).orElseThrow().id());
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> delete_topics() {
    return each(
        ApiKeys.DELETE_TOPICS,
        version -> {
          Topic byName = server.create("by-name", 1);
          Topic byId = server.create("by-id", 1);
          DeleteTopicsRequestData asked = new DeleteTopicsRequestData();
          if (version >= 6) {
            asked.topics().add(new DeleteTopicState().setName("by-name"));
            asked.topics().add(new DeleteTopicState().setName(null).setTopicId(byId.id()));
          } else {
            asked.setTopicNames(List.of("by-name", "by-id", "none"));
          }
          var answer =
              server
                  .ask(
                      new DeleteTopicsRequest.Builder(asked).build(version),
                      DeleteTopicsResponse.class)
                  .data();
          DeletableTopicResult deleted = answer.responses().find("by-name");
          assertThat(deleted.errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(answer.responses().find("by-id").errorCode()).isEqualTo(Errors.NONE.code());
          if (version < 6) {
            assertThat(answer.responses().find("none").errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
          }
          assertThat(server.topics().topics().find(byName.id())).isEmpty();
          assertThat(server.topics().topics().find(byId.id())).isEmpty();
        });
  }

  @TestFactory
  Stream<DynamicTest> create_partitions() {
    return each(
        ApiKeys.CREATE_PARTITIONS,
        version -> {
          int before = server.topics().topics().find("orders").orElseThrow().partitionCount();
          CreatePartitionsRequestData asked = new CreatePartitionsRequestData();
          asked
              .topics()
              .add(
                  new CreatePartitionsRequestData.CreatePartitionsTopic()
                      .setName("orders")
                      .setCount(before + 1)
                      .setAssignments(null));
          var answer =
              server
                  .ask(
                      new CreatePartitionsRequest.Builder(asked).build(version),
                      CreatePartitionsResponse.class)
                  .data();
          assertThat(answer.results().get(0).errorCode()).isEqualTo(Errors.NONE.code());
          assertThat(server.topics().topics().find("orders").orElseThrow().partitionCount())
              .isEqualTo(before + 1);
        });
  }

  @TestFactory
  Stream<DynamicTest> describe_topic_partitions() {
    return each(
        ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
        version -> {
          DescribeTopicPartitionsResponseData answer =
              server
                  .ask(
                      new DescribeTopicPartitionsRequest(
                          new DescribeTopicPartitionsRequestData(), version),
                      DescribeTopicPartitionsResponse.class)
                  .data();
          assertThat(answer.topics().find("orders").partitions()).hasSize(2);
          assertThat(answer.nextCursor()).isNull();
        });
  }
}
