package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Topic;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTopicPartitionsRequest;
import org.apache.kafka.common.requests.DescribeTopicPartitionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.Test;

class MetadataAnswersTest {
  private static final short LATEST = 13;

  @Test
  void no_topics_means_none_and_null_means_all() throws Exception {
    try (TopicServer server = TopicServer.start()) {
      server.create("orders", 1);
      assertThat(metadata(server, new MetadataRequestData().setTopics(List.of())).topics())
          .isEmpty();
      assertThat(metadata(server, new MetadataRequestData().setTopics(null)).topics()).hasSize(1);
    }
  }

  @Test
  void a_topic_is_created_when_client_and_settings_allow_it() throws Exception {
    try (TopicServer server = TopicServer.start(new SimDisk(1), Map.of("num.partitions", "3"))) {
      assertThat(error(ask(server, "orders", false), "orders"))
          .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
      MetadataResponseData answer = ask(server, "orders", true);
      assertThat(error(answer, "orders")).isEqualTo(Errors.NONE);
      assertThat(answer.topics().find("orders").partitions()).hasSize(3);
    }
    try (TopicServer server =
        TopicServer.start(new SimDisk(1), Map.of("auto.create.topics.enable", "false"))) {
      assertThat(error(ask(server, "orders", true), "orders"))
          .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }
  }

  @Test
  void topics_are_found_by_id() throws Exception {
    try (TopicServer server = TopicServer.start()) {
      Topic orders = server.create("orders", 2);
      MetadataRequestData asked = new MetadataRequestData();
      asked.topics().add(new MetadataRequestTopic().setName(null).setTopicId(orders.id()));
      asked.topics().add(new MetadataRequestTopic().setName(null).setTopicId(new Uuid(1, 2)));
      MetadataResponseData answer = metadata(server, asked);
      assertThat(answer.topics().find("orders").partitions()).hasSize(2);
      assertThat(answer.topics())
          .anySatisfy(
              topic -> {
                assertThat(topic.topicId()).isEqualTo(new Uuid(1, 2));
                assertThat(topic.errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
              });
    }
  }

  @Test
  void a_topic_that_is_named_twice_is_told_once() throws Exception {
    try (TopicServer server = TopicServer.start()) {
      MetadataRequestData asked = new MetadataRequestData();
      asked.topics().add(new MetadataRequestTopic().setName("orders"));
      asked.topics().add(new MetadataRequestTopic().setName("orders"));
      assertThat(metadata(server, asked).topics()).hasSize(1);
    }
  }

  private static MetadataResponseData ask(TopicServer server, String topic, boolean create)
      throws Exception {
    MetadataRequestData asked = new MetadataRequestData().setAllowAutoTopicCreation(create);
    asked.topics().add(new MetadataRequestTopic().setName(topic));
    return metadata(server, asked);
  }

  private static Errors error(MetadataResponseData answer, String topic) {
    return Errors.forCode(answer.topics().find(topic).errorCode());
  }

  private static MetadataResponseData metadata(TopicServer server, MetadataRequestData asked)
      throws Exception {
    return server.ask(new MetadataRequest(asked, LATEST), MetadataResponse.class).data();
  }

  @Test
  void partitions_are_described_page_by_page() throws Exception {
    try (TopicServer server = TopicServer.start()) {
      server.create("a", 3);
      server.create("b", 2);
      server.create("c", 1);
      DescribeTopicPartitionsRequestData asked =
          new DescribeTopicPartitionsRequestData().setResponsePartitionLimit(2);
      DescribeTopicPartitionsResponseData page = describe(server, asked);
      assertThat(page.topics().find("a").partitions()).hasSize(2);
      assertThat(page.nextCursor().topicName()).isEqualTo("a");
      assertThat(page.nextCursor().partitionIndex()).isEqualTo(2);

      page = describe(server, next(asked, page));
      assertThat(page.topics().find("a").partitions().get(0).partitionIndex()).isEqualTo(2);
      assertThat(page.topics().find("b").partitions()).hasSize(1);
      assertThat(page.nextCursor().partitionIndex()).isEqualTo(1);

      page = describe(server, next(asked, page));
      assertThat(page.topics().find("b").partitions()).hasSize(1);
      assertThat(page.topics().find("c").partitions()).hasSize(1);
      assertThat(page.nextCursor()).isNull();
    }
  }

  @Test
  void a_page_of_named_topics_tells_which_are_missing() throws Exception {
    try (TopicServer server = TopicServer.start()) {
      server.create("a", 1);
      DescribeTopicPartitionsRequestData asked =
          new DescribeTopicPartitionsRequestData()
              .setTopics(
                  List.of(
                      new TopicRequest().setName("a"),
                      new TopicRequest().setName("none"),
                      new TopicRequest().setName("a b")));
      DescribeTopicPartitionsResponseData page = describe(server, asked);
      assertThat(page.topics().find("a").errorCode()).isEqualTo(Errors.NONE.code());
      assertThat(page.topics().find("none").errorCode())
          .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
      assertThat(page.topics().find("a b").errorCode())
          .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
    }
  }

  private static DescribeTopicPartitionsRequestData next(
      DescribeTopicPartitionsRequestData asked, DescribeTopicPartitionsResponseData page) {
    return asked
        .duplicate()
        .setCursor(
            new Cursor()
                .setTopicName(page.nextCursor().topicName())
                .setPartitionIndex(page.nextCursor().partitionIndex()));
  }

  private static DescribeTopicPartitionsResponseData describe(
      TopicServer server, DescribeTopicPartitionsRequestData asked) throws Exception {
    return server
        .ask(
            new DescribeTopicPartitionsRequest(asked, (short) 0),
            DescribeTopicPartitionsResponse.class)
        .data();
  }
}
