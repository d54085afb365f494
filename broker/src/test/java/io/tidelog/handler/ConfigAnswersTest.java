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
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.AlterConfigsResponse;
import org.apache.kafka.common.requests.DescribeConfigsRequest;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
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
  private Topic orders;

  @BeforeEach
  void start() throws Exception {
    server =
        TopicServer.start(
            new SimDisk(4), Map.of("log.retention.hours", "2", "log.segment.bytes", "2000000"));
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

    DescribeConfigsResourceResult row = row(TOPIC, "orders", "retention.ms");
    assertThat(row.value()).isEqualTo("7200000");
    assertThat(row.configSource()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG.id());
    assertThat(row.configType()).isEqualTo(ConfigType.LONG.id());
    assertThat(row.synonyms())
        .containsExactly(synonym("log.retention.hours", "2", ConfigSource.STATIC_BROKER_CONFIG));
    assertThat(row(TOPIC, "orders", "segment.bytes").synonyms())
        .containsExactly(
            synonym("log.segment.bytes", "2000000", ConfigSource.STATIC_BROKER_CONFIG),
            synonym("log.segment.bytes", "1073741824", ConfigSource.DEFAULT_CONFIG));
  }

  @Test
  void a_topic_without_a_value_of_its_own_shows_the_default() throws Exception {
    DescribeConfigsResourceResult row = row(TOPIC, "orders", "max.message.bytes");
    assertThat(row.value()).isEqualTo("1048588");
    assertThat(row.configSource()).isEqualTo(ConfigSource.DEFAULT_CONFIG.id());
    assertThat(row.isSensitive()).isFalse();
    assertThat(row.readOnly()).isFalse();
    assertThat(row.documentation()).isNotBlank();
    assertThat(row(TOPIC, "orders", "tidelog.durability").value()).isEqualTo("page-cache");
    assertThat(row(TOPIC, "orders", "tidelog.batch.validation").value()).isEqualTo("full");
  }

  @Test
  void every_config_of_kafka_is_described_with_kafkas_default() throws Exception {
    DescribeConfigsResult result = describe(TOPIC, "orders", null);
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
    assertThat(error(describe(TOPIC, "none", null))).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(error(describe(TOPIC, "a b", null))).isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
    assertThat(error(describe(BROKER, "2", null))).isEqualTo(Errors.INVALID_REQUEST);
    assertThat(error(describe((byte) 99, "x", null))).isEqualTo(Errors.INVALID_REQUEST);
  }

  @Test
  void altered_configs_take_effect_at_once_and_can_be_taken_back() throws Exception {
    assertThat(alter(TOPIC, "orders", step("retention.ms", OpType.SET, "5")))
        .isEqualTo(Errors.NONE);
    assertThat(settings().retentionMs()).isEqualTo(5);
    assertThat(settings().flushMs()).isEqualTo(33);
    assertThat(alter(TOPIC, "orders", step("retention.ms", OpType.DELETE, null)))
        .isEqualTo(Errors.NONE);
    assertThat(settings().retentionMs()).isEqualTo(7_200_000);
  }

  @Test
  void lists_are_appended_to_and_subtracted_from() throws Exception {
    alter(TOPIC, "orders", step("cleanup.policy", OpType.APPEND, "compact"));
    assertThat(row(TOPIC, "orders", "cleanup.policy").value()).isEqualTo("delete,compact");
    assertThat(settings().compacts()).isTrue();
    alter(TOPIC, "orders", step("cleanup.policy", OpType.SUBTRACT, "delete"));
    assertThat(row(TOPIC, "orders", "cleanup.policy").value()).isEqualTo("compact");
    assertThat(alter(TOPIC, "orders", step("retention.ms", OpType.APPEND, "1")))
        .isEqualTo(Errors.INVALID_CONFIG);
  }

  @Test
  void a_bad_alteration_changes_nothing() throws Exception {
    assertThat(
            alter(
                TOPIC,
                "orders",
                step("retention.ms", OpType.SET, "5"),
                step("segment.ms", OpType.SET, "0")))
        .isEqualTo(Errors.INVALID_CONFIG);
    assertThat(settings().retentionMs()).isEqualTo(7_200_000);
    assertThat(alter(TOPIC, "orders", step("no.such", OpType.SET, "5")))
        .isEqualTo(Errors.INVALID_CONFIG);
    assertThat(alter(TOPIC, "none", step("retention.ms", OpType.SET, "5")))
        .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    assertThat(alter(TOPIC, "orders", step("retention.ms", OpType.SET, null)))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(
            alter(
                TOPIC,
                "orders",
                step("retention.ms", OpType.SET, "5"),
                step("retention.ms", OpType.DELETE, null)))
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
    assertThat(alter(BROKER, "", step("log.retention.ms", OpType.SET, "70")))
        .isEqualTo(Errors.NONE);
    assertThat(settings().retentionMs()).isEqualTo(70);
    assertThat(alter(BROKER, "1", step("log.retention.ms", OpType.SET, "71")))
        .isEqualTo(Errors.NONE);
    assertThat(settings().retentionMs()).isEqualTo(71);
    assertThat(row(TOPIC, "orders", "retention.ms").synonyms())
        .containsExactly(
            synonym("log.retention.ms", "71", ConfigSource.DYNAMIC_BROKER_CONFIG),
            synonym("log.retention.ms", "70", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
            synonym("log.retention.hours", "2", ConfigSource.STATIC_BROKER_CONFIG));
    assertThat(describe(BROKER, "", null).configs()).hasSize(1);
    assertThat(row(BROKER, "1", "log.retention.ms").value()).isEqualTo("71");
    assertThat(row(BROKER, "1", "log.retention.ms").readOnly()).isFalse();
    assertThat(row(BROKER, "1", "num.partitions").readOnly()).isTrue();
    assertThat(row(BROKER, "1", "log.retention.hours").value()).isEqualTo("2");
    assertThat(row(BROKER, "1", "log.roll.hours").value()).isEqualTo("168");
  }

  @Test
  void other_settings_of_the_broker_are_fixed_while_it_runs() throws Exception {
    assertThat(alter(BROKER, "1", step("num.partitions", OpType.SET, "3")))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(alter(BROKER, "2", step("log.retention.ms", OpType.SET, "3")))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(alter(BROKER, "1", step("log.retention.ms", OpType.SET, "x")))
        .isEqualTo(Errors.INVALID_REQUEST);
  }

  @Test
  void groups_have_configs_of_their_own() throws Exception {
    assertThat(alter(GROUP, "readers", step("consumer.session.timeout.ms", OpType.SET, "50000")))
        .isEqualTo(Errors.NONE);
    DescribeConfigsResourceResult row = row(GROUP, "readers", "consumer.session.timeout.ms");
    assertThat(row.value()).isEqualTo("50000");
    assertThat(row.configSource()).isEqualTo(ConfigSource.GROUP_CONFIG.id());
    assertThat(row(GROUP, "others", "consumer.session.timeout.ms").value()).isEqualTo("45000");
    assertThat(alter(GROUP, "readers", step("consumer.session.timeout.ms", OpType.SET, "1")))
        .isEqualTo(Errors.INVALID_CONFIG);
    assertThat(alter(GROUP, "readers", step("share.isolation.level", OpType.SET, "x")))
        .isEqualTo(Errors.INVALID_CONFIG);
    assertThat(alter(GROUP, "", step("consumer.session.timeout.ms", OpType.SET, "50000")))
        .isEqualTo(Errors.INVALID_REQUEST);
  }

  @Test
  void a_group_has_the_first_of_the_servers_assignors() throws Exception {
    DescribeConfigsResourceResult row = row(GROUP, "app", "streams.assignor.name");
    assertThat(row.value()).isEqualTo("sticky");
    assertThat(row.synonyms())
        .containsExactly(synonym("group.streams.assignors", "sticky", ConfigSource.DEFAULT_CONFIG));
  }

  @Test
  void levels_of_loggers_are_told_and_not_altered() throws Exception {
    assertThat(describe(LOGGERS, "1", null).configs())
        .extracting(DescribeConfigsResourceResult::name)
        .containsExactly("io.tidelog", "org.apache.kafka", "root");
    DescribeConfigsResourceResult root = row(LOGGERS, "1", "root");
    assertThat(root.value()).isEqualTo(LoggerLevels.now().get("root"));
    assertThat(root.readOnly()).isTrue();
    assertThat(root.configSource())
        .as("where Kafka's tools look for loggers")
        .isEqualTo(ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG.id());
    assertThat(error(describe(LOGGERS, "2", null))).isEqualTo(Errors.INVALID_REQUEST);
    assertThat(error(describe(LOGGERS, "", null))).isEqualTo(Errors.INVALID_REQUEST);
    assertThat(alter(LOGGERS, "1", step("root", OpType.SET, "DEBUG")))
        .isEqualTo(Errors.INVALID_CONFIG);
  }

  private static DescribeConfigsSynonym synonym(String name, String value, ConfigSource source) {
    return new DescribeConfigsSynonym().setName(name).setValue(value).setSource(source.id());
  }

  private static Errors error(DescribeConfigsResult result) {
    return Errors.forCode(result.errorCode());
  }

  private DescribeConfigsResourceResult row(byte type, String name, String config)
      throws Exception {
    return describe(type, name, List.of(config)).configs().get(0);
  }

  private DescribeConfigsResult describe(byte type, String name, List<String> configs)
      throws Exception {
    DescribeConfigsRequestData asked =
        new DescribeConfigsRequestData()
            .setIncludeSynonyms(true)
            .setIncludeDocumentation(true)
            .setResources(
                List.of(
                    new DescribeConfigsResource()
                        .setResourceType(type)
                        .setResourceName(name)
                        .setConfigurationKeys(configs)));
    return server
        .ask(new DescribeConfigsRequest.Builder(asked).build(), DescribeConfigsResponse.class)
        .data()
        .results()
        .get(0);
  }

  private static AlterableConfig step(String config, OpType operation, String value) {
    return new AlterableConfig().setName(config).setConfigOperation(operation.id()).setValue(value);
  }

  private Errors alter(byte type, String name, AlterableConfig... steps) throws Exception {
    AlterConfigsResource resource =
        new AlterConfigsResource().setResourceType(type).setResourceName(name);
    for (AlterableConfig step : steps) {
      resource.configs().add(step);
    }
    IncrementalAlterConfigsRequestData asked = new IncrementalAlterConfigsRequestData();
    asked.resources().add(resource);
    return Errors.forCode(
        server
            .ask(
                new IncrementalAlterConfigsRequest(asked, (short) 1),
                IncrementalAlterConfigsResponse.class)
            .data()
            .responses()
            .get(0)
            .errorCode());
  }
}
