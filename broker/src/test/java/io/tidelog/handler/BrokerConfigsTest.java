package io.tidelog.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.testkit.SimDisk;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configs of brokers that are altered while they run; the answers are those of Kafka 4.4.0. */
class BrokerConfigsTest {
  private static final byte BROKER = ConfigResource.Type.BROKER.id();

  private TopicServer server;
  private ConfigClient configs;

  @BeforeEach
  void start() throws Exception {
    server = TopicServer.start(new SimDisk(4), Map.of());
    configs = new ConfigClient(server);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "log.cleaner.threads, 2, NONE, NONE",
    "log.cleaner.threads, 3, INVALID_REQUEST, INVALID_REQUEST",
    "log.cleaner.threads, 0, INVALID_REQUEST, INVALID_REQUEST",
    "log.cleaner.dedupe.buffer.size, 3000000, NONE, NONE",
    "log.cleaner.dedupe.buffer.size, 1048576, INVALID_REQUEST, INVALID_REQUEST",
    "log.cleaner.io.buffer.load.factor, 0.5, NONE, NONE",
    "log.cleaner.io.buffer.size, -1, INVALID_REQUEST, INVALID_REQUEST",
    "log.cleaner.io.max.bytes.per.second, 1e6, NONE, NONE",
    "log.cleaner.backoff.ms, 100, NONE, NONE",
    "log.cleaner.backoff.ms, x, INVALID_REQUEST, INVALID_REQUEST",
    "log.cleaner.enable, false, INVALID_REQUEST, INVALID_REQUEST",
    "num.io.threads, 16, NONE, NONE",
    "num.io.threads, 17, INVALID_REQUEST, INVALID_REQUEST",
    "num.io.threads, 3, INVALID_REQUEST, INVALID_REQUEST",
    "num.recovery.threads.per.data.dir, 9, INVALID_REQUEST, INVALID_REQUEST",
    "num.network.threads, 4, NONE, NONE",
    "num.network.threads, 0, INVALID_REQUEST, INVALID_REQUEST",
    "max.connections, 100, NONE, NONE",
    "max.connections.per.ip.overrides, 127.0.0.1:5, NONE, NONE",
    "max.connections.per.ip.overrides, zz, INVALID_REQUEST, INVALID_REQUEST",
    "message.max.bytes, 2000000, NONE, NONE",
    "message.max.bytes, -1, INVALID_REQUEST, INVALID_REQUEST",
    "log.retention.ms, -2, NONE, NONE",
    "log.retention.ms, 0, INVALID_REQUEST, INVALID_REQUEST",
    "log.retention.hours, 7, INVALID_REQUEST, INVALID_REQUEST",
    "log.cleanup.policy, bogus, INVALID_REQUEST, INVALID_REQUEST",
    "no.such, x, NONE, NONE",
    "ssl.keystore.password, x, INVALID_REQUEST, INVALID_REQUEST",
    "listener.name.plaintext.ssl.keystore.password, x, INVALID_REQUEST, NONE",
    "listener.name.plaintext.max.connections, 4, NONE, NONE",
    "num.partitions, 3, INVALID_REQUEST, INVALID_REQUEST",
    "node.id, 1, INVALID_REQUEST, INVALID_REQUEST",
    "sasl.enabled.mechanisms, PLAIN, INVALID_REQUEST, NONE",
    "leader.replication.throttled.rate, 5, NONE, NONE",
    "leader.replication.throttled.rate, -5, INVALID_REQUEST, INVALID_REQUEST",
    "producer.id.expiration.ms, 5000, NONE, NONE",
    "group.consumer.assignment.interval.ms, 7, NONE, NONE",
    "group.consumer.session.timeout.ms, 50000, INVALID_REQUEST, INVALID_REQUEST",
  })
  void one_is_taken_or_refused_as_kafka_does(
      String name, String value, Errors forAll, Errors forThis) throws Exception {
    assertThat(configs.alter(BROKER, "", ConfigClient.step(name, OpType.SET, value)))
        .isEqualTo(forAll);
    assertThat(configs.describe(BROKER, "", null).configs())
        .extracting(DescribeConfigsResourceResult::name)
        .isEqualTo(forAll == Errors.NONE ? List.of(name) : List.of());
    configs.alter(BROKER, "", ConfigClient.step(name, OpType.DELETE, null));
    assertThat(configs.alter(BROKER, "1", ConfigClient.step(name, OpType.SET, value)))
        .isEqualTo(forThis);
  }

  @Test
  void one_bad_name_refuses_all_of_the_resource() throws Exception {
    assertThat(
            configs.alter(
                BROKER,
                "",
                ConfigClient.step("log.cleaner.backoff.ms", OpType.SET, "77"),
                ConfigClient.step("num.partitions", OpType.SET, "3")))
        .isEqualTo(Errors.INVALID_REQUEST);
    assertThat(configs.describe(BROKER, "", null).configs()).isEmpty();
  }

  @Test
  void a_list_is_appended_to_only_where_it_is_known_to_be_one() throws Exception {
    assertThat(
            configs.alter(
                BROKER, "", ConfigClient.step("log.cleanup.policy", OpType.APPEND, "compact")))
        .isEqualTo(Errors.NONE);
    assertThat(configs.row(BROKER, "", "log.cleanup.policy").value()).isEqualTo("delete,compact");
    for (String name : List.of("unknown.list", "log.cleaner.threads")) {
      assertThat(configs.alter(BROKER, "", ConfigClient.step(name, OpType.APPEND, "1")))
          .isEqualTo(Errors.INVALID_CONFIG);
    }
    assertThat(configs.alter(BROKER, "", ConfigClient.step("num.partitions", OpType.DELETE, null)))
        .as("what is not set")
        .isEqualTo(Errors.NONE);
  }

  @Test
  void what_only_kafka_can_do_is_refused_and_said_to_be_fixed() throws Exception {
    for (String name : List.of("listeners", "metric.reporters", "config.providers")) {
      assertThat(configs.alter(BROKER, "1", ConfigClient.step(name, OpType.SET, "x")))
          .isEqualTo(Errors.INVALID_REQUEST);
    }
  }

  @Test
  void it_is_described_with_where_each_value_is_from() throws Exception {
    configs.alter(
        BROKER,
        "",
        ConfigClient.step("num.io.threads", OpType.SET, "9"),
        ConfigClient.step("log.retention.ms", OpType.SET, "900000"));
    configs.alter(
        BROKER, "1", ConfigClient.step("log.cleaner.io.max.bytes.per.second", OpType.SET, "1e9"));

    DescribeConfigsResourceResult threads = configs.row(BROKER, "1", "num.io.threads");
    assertThat(threads.value()).isEqualTo("9");
    assertThat(threads.readOnly()).isFalse();
    assertThat(threads.synonyms())
        .containsExactly(
            ConfigClient.synonym("num.io.threads", "9", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
            ConfigClient.synonym("num.io.threads", "8", ConfigSource.DEFAULT_CONFIG));
    assertThat(configs.row(BROKER, "1", "log.retention.ms").synonyms())
        .containsExactly(
            ConfigClient.synonym(
                "log.retention.ms", "900000", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
            ConfigClient.synonym("log.retention.hours", "168", ConfigSource.DEFAULT_CONFIG));
    assertThat(configs.row(BROKER, "1", "log.cleaner.io.max.bytes.per.second").value())
        .isEqualTo("1.0E9");
    assertThat(configs.row(BROKER, "1", "num.partitions").readOnly()).isTrue();
  }

  @Test
  void the_value_of_a_password_or_of_what_nobody_knows_is_told_to_nobody() throws Exception {
    String password = "listener.name.plaintext.ssl.keystore.password";
    configs.alter(BROKER, "", ConfigClient.step("no.such", OpType.SET, "v"));
    configs.alter(
        BROKER,
        "1",
        ConfigClient.step("no.such", OpType.SET, "w"),
        ConfigClient.step(password, OpType.SET, "pw"));

    DescribeConfigsResourceResult unknown = configs.row(BROKER, "1", "no.such");
    assertThat(unknown.isSensitive()).isTrue();
    assertThat(unknown.value()).isNull();
    assertThat(unknown.readOnly()).isTrue();
    assertThat(unknown.configType()).isEqualTo(ConfigType.UNKNOWN.id());
    assertThat(unknown.synonyms())
        .containsExactly(
            ConfigClient.synonym("no.such", null, ConfigSource.DYNAMIC_BROKER_CONFIG),
            ConfigClient.synonym("no.such", null, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG));
    assertThat(configs.row(BROKER, "", "no.such").value()).isNull();
    assertThat(configs.row(BROKER, "1", password).value()).isNull();
    assertThat(configs.row(BROKER, "1", password).configType()).isEqualTo(ConfigType.PASSWORD.id());
  }
}
