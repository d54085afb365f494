package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.LogSettings;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.NewTopic;
import io.tidelog.topic.Topic;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told about configs, and what altering them does. */
class ConfigAnswersTest {
  private static final byte TOPIC = ConfigResource.Type.TOPIC.id();
  private static final byte BROKER = ConfigResource.Type.BROKER.id();
  private static final byte GROUP = ConfigResource.Type.GROUP.id();
  private static final byte LOGGERS = ConfigResource.Type.BROKER_LOGGER.id();

  private TopicServer server;
  private ConfigClient configs;
  private Topic orders;

  @BeforeEach
  void start() throws Exception {
    server =
        TopicServer.start(
            new SimDisk(4), Map.of("log.retention.hours", "2", "log.segment.bytes", "2000000"));
    configs = new ConfigClient(server);
    orders = server.topics().create(NewTopic.named("orders").withConfigs(Map.of("flush.ms", "33")));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private LogSettings settings() {
    return orders.partition(0).orElseThrow().log().settings();
  }

  @Test
  void a_topic_gets_the_servers_settings_in_its_own_units() throws Exception {
    assertThat(settings().retentionMs()).isEqualTo(7_200_000);
    assertThat(settings().segmentBytes()).isEqualTo(2_000_000);
    assertThat(settings().flushMs()).isEqualTo(33);

    DescribeConfigsResourceResult row = configs.row(TOPIC, "orders", "retention.ms");
    assertThat(row.value()).isEqualTo("7200000");
    assertThat(row.configSource()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG.id());
    assertThat(row.configType()).isEqualTo(ConfigType.LONG.id());
    assertThat(row.synonyms())
        .containsExactly(
            ConfigClient.synonym("log.retention.hours", "2", ConfigSource.STATIC_BROKER_CONFIG));
    assertThat(configs.row(TOPIC, "orders", "segment.bytes").synonyms())
        .containsExactly(
            ConfigClient.synonym("log.segment.bytes", "2000000", ConfigSource.STATIC_BROKER_CONFIG),
            ConfigClient.synonym("log.segment.bytes", "1073741824", ConfigSource.DEFAULT_CONFIG));
  }

  @Test
  void a_topic_without_a_value_of_its_own_shows_the_default() throws Exception {
    DescribeConfigsResourceResult row = configs.row(TOPIC, "orders", "max.message.bytes");
    assertThat(row.value()).isEqualTo("1048588");
    assertThat(row.configSource()).isEqualTo(ConfigSource.DEFAULT_CONFIG.id());
    assertThat(row.isSensitive()).isFalse();
    assertThat(row.readOnly()).isFalse();
    assertThat(row.documentation()).isNotBlank();
    assertThat(configs.row(TOPIC, "orders", "tidelog.durability").value()).isEqualTo("page-cache");
    assertThat(configs.row(TOPIC, "orders", "tidelog.batch.validation").value()).isEqualTo("full");
  }

  @Test
  void every_config_of_kafka_is_described_with_kafkas_default() throws Exception {
    DescribeConfigsResult result = configs.describe(TOPIC, "orders", null);
    assertThat(result.configs())
        .extracting(DescribeConfigsResourceResult::name)
        .isSorted()
        .containsAll(org.apache.kafka.storage.internals.log.LogConfig.nonInternalConfigNames());
    LogSettings.NAMES.forEach(
        (name, value) -> {
          if (!List.of("retention.ms", "segment.bytes", "flush.ms", "producer.id.expiration.ms")
              .contains(name)) {
            assertThat(result.configs())
                .filteredOn(row -> row.name().equals(name))
                .extracting(DescribeConfigsResourceResult::value)
                .containsExactly(value);
          }
        });
  }

  @Test
  void resources_that_are_not_there_are_told() throws Exception {
    assertThat(ConfigClient.error(configs.describe(TOPIC, "none", null)))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(ConfigClient.error(configs.describe(TOPIC, "a b", null)))
        .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    assertThat(ConfigClient.error(configs.describe(BROKER, "2", null)))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(ConfigClient.error(configs.describe((byte) 99, "x", null)))
        .isEqualTo(Errors.INVALID_REQUEST);
  }

  @Test
  void altered_configs_take_effect_at_once_and_can_be_taken_back() throws Exception {
    assertThat(configs.alter(TOPIC, "orders", ConfigClient.step("retention.ms", OpType.SET, "5")))
        .isEqualTo(Errors.NONE);
    assertThat(settings().retentionMs()).isEqualTo(5);
    assertThat(settings().flushMs()).isEqualTo(33);
    assertThat(
            configs.alter(TOPIC, "orders", ConfigClient.step("retention.ms", OpType.DELETE, null)))
        .isEqualTo(Errors.NONE);
    assertThat(settings().retentionMs()).isEqualTo(7_200_000);
  }

  @Test
  void lists_are_appended_to_and_subtracted_from() throws Exception {
    configs.alter(TOPIC, "orders", ConfigClient.step("cleanup.policy", OpType.APPEND, "compact"));
    assertThat(configs.row(TOPIC, "orders", "cleanup.policy").value()).isEqualTo("delete,compact");
    assertThat(settings().compacts()).isTrue();
    configs.alter(TOPIC, "orders", ConfigClient.step("cleanup.policy", OpType.SUBTRACT, "delete"));
    assertThat(configs.row(TOPIC, "orders", "cleanup.policy").value()).isEqualTo("compact");
    assertThat(
            configs.alter(TOPIC, "orders", ConfigClient.step("retention.ms", OpType.APPEND, "1")))
        .isEqualTo(Errors.INVALID_CONFIG);
  }

  @Test
  void a_bad_alteration_changes_nothing() throws Exception {
    assertThat(
            configs.alter(
                TOPIC,
                "orders",
                ConfigClient.step("retention.ms", OpType.SET, "5"),
                ConfigClient.step("segment.ms", OpType.SET, "0")))
        .isEqualTo(Errors.INVALID_CONFIG);
    assertThat(settings().retentionMs()).isEqualTo(7_200_000);
    assertThat(configs.alter(TOPIC, "orders", ConfigClient.step("no.such", OpType.SET, "5")))
        .isEqualTo(Errors.INVALID_CONFIG);
    assertThat(configs.alter(TOPIC, "none", ConfigClient.step("retention.ms", OpType.SET, "5")))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(configs.alter(TOPIC, "orders", ConfigClient.step("retention.ms", OpType.SET, null)))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(
            configs.alter(
                TOPIC,
                "orders",
                ConfigClient.step("retention.ms", OpType.SET, "5"),
                ConfigClient.step("retention.ms", OpType.DELETE, null)))
        .isEqualTo(Errors.INVALID_REQUEST);
  }

  @Test
  void the_older_way_of_altering_takes_back_what_it_does_not_name() throws Exception {
    AlterConfigsRequestData asked = new AlterConfigsRequestData();
    AlterConfigsRequestData.AlterConfigsResource resource =
        new AlterConfigsRequestData.AlterConfigsResource()
            .setResourceType(TOPIC)
            .setResourceName("orders");
    resource
        .configs()
        .add(new AlterConfigsRequestData.AlterableConfig().setName("retention.ms").setValue("6"));
    asked.resources().add(resource);
    server.ask(new AlterConfigsRequest(asked, (short) 2), AlterConfigsResponse.class);
    assertThat(settings().retentionMs()).isEqualTo(6);
    assertThat(settings().flushMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void the_defaults_of_topics_can_be_altered_for_the_broker() throws Exception {
    assertThat(configs.alter(BROKER, "", ConfigClient.step("log.retention.ms", OpType.SET, "70")))
        .isEqualTo(Errors.NONE);
    assertThat(settings().retentionMs()).isEqualTo(70);
    assertThat(configs.alter(BROKER, "1", ConfigClient.step("log.retention.ms", OpType.SET, "71")))
        .isEqualTo(Errors.NONE);
    assertThat(settings().retentionMs()).isEqualTo(71);
    assertThat(configs.row(TOPIC, "orders", "retention.ms").synonyms())
        .containsExactly(
            ConfigClient.synonym("log.retention.ms", "71", ConfigSource.DYNAMIC_BROKER_CONFIG),
            ConfigClient.synonym(
                "log.retention.ms", "70", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
            ConfigClient.synonym("log.retention.hours", "2", ConfigSource.STATIC_BROKER_CONFIG));
    assertThat(configs.describe(BROKER, "", null).configs()).hasSize(1);
    assertThat(configs.row(BROKER, "1", "log.retention.ms").value()).isEqualTo("71");
    assertThat(configs.row(BROKER, "1", "log.retention.ms").readOnly()).isFalse();
    assertThat(configs.row(BROKER, "1", "num.partitions").readOnly()).isTrue();
    assertThat(configs.row(BROKER, "1", "log.retention.hours").value()).isEqualTo("2");
    assertThat(configs.row(BROKER, "1", "log.roll.hours").value()).isEqualTo("168");
  }

  @Test
  void other_settings_of_the_broker_are_fixed_while_it_runs() throws Exception {
    assertThat(configs.alter(BROKER, "1", ConfigClient.step("num.partitions", OpType.SET, "3")))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(configs.alter(BROKER, "2", ConfigClient.step("log.retention.ms", OpType.SET, "3")))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(configs.alter(BROKER, "1", ConfigClient.step("log.retention.ms", OpType.SET, "x")))
        .isEqualTo(Errors.INVALID_REQUEST);
  }

  @Test
  void groups_have_configs_of_their_own() throws Exception {
    assertThat(
            configs.alter(
                GROUP,
                "readers",
                ConfigClient.step("consumer.session.timeout.ms", OpType.SET, "50000")))
        .isEqualTo(Errors.NONE);
    DescribeConfigsResourceResult row =
        configs.row(GROUP, "readers", "consumer.session.timeout.ms");
    assertThat(row.value()).isEqualTo("50000");
    assertThat(row.configSource()).isEqualTo(ConfigSource.GROUP_CONFIG.id());
    assertThat(configs.row(GROUP, "others", "consumer.session.timeout.ms").value())
        .isEqualTo("45000");
    assertThat(
            configs.alter(
                GROUP,
                "readers",
                ConfigClient.step("consumer.session.timeout.ms", OpType.SET, "1")))
        .isEqualTo(Errors.INVALID_CONFIG);
    assertThat(
            configs.alter(
                GROUP, "readers", ConfigClient.step("share.isolation.level", OpType.SET, "x")))
        .isEqualTo(Errors.INVALID_CONFIG);
    assertThat(
            configs.alter(
                GROUP, "", ConfigClient.step("consumer.session.timeout.ms", OpType.SET, "50000")))
        .isEqualTo(Errors.INVALID_REQUEST);
  }

  @Test
  void a_group_has_the_first_of_the_servers_assignors() throws Exception {
    DescribeConfigsResourceResult row = configs.row(GROUP, "app", "streams.assignor.name");
    assertThat(row.value()).isEqualTo("sticky");
    assertThat(row.synonyms())
        .containsExactly(
            ConfigClient.synonym("group.streams.assignors", "sticky", ConfigSource.DEFAULT_CONFIG));
  }

  @Test
  void levels_of_loggers_are_told_and_not_altered() throws Exception {
    assertThat(configs.describe(LOGGERS, "1", null).configs())
        .extracting(DescribeConfigsResourceResult::name)
        .containsExactly("io.tidelog", "org.apache.kafka", "root");
    DescribeConfigsResourceResult root = configs.row(LOGGERS, "1", "root");
    assertThat(root.value()).isEqualTo(LoggerLevels.now().get("root"));
    assertThat(root.readOnly()).isTrue();
    assertThat(root.configSource())
        .as("where Kafka's tools look for loggers")
        .isEqualTo(ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG.id());
    assertThat(ConfigClient.error(configs.describe(LOGGERS, "2", null)))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(ConfigClient.error(configs.describe(LOGGERS, "", null)))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(configs.alter(LOGGERS, "1", ConfigClient.step("root", OpType.SET, "DEBUG")))
        .isEqualTo(Errors.INVALID_CONFIG);
  }
}
