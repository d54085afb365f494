package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.LogSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerSettingsTest {

  @Test
  void nothing_need_be_set() {
    BrokerSettings settings = BrokerSettings.defaults();
    assertThat(settings.dataDirectories()).containsExactly(Path.of("data"));
    assertThat(settings.listeners())
        .containsExactly(
            new Listener("PLAINTEXT", InetSocketAddress.createUnresolved("127.0.0.1", 9092)));
    assertThat(settings.nodeId()).isEmpty();
    assertThat(settings.withoutEffect()).isEmpty();
    assertThat(settings.fetchMaxBytes()).isEqualTo(57_671_680);
    assertThat(settings.store(partition -> LogSettings.DEFAULTS).retentionCheckIntervalMs())
        .isEqualTo(300_000);
  }

  @Test
  void names_without_effect_are_listed() {
    Properties properties = new Properties();
    properties.put("log.retention.hours", "24");
    properties.put("num.io.threads", "9");
    properties.put("zookeeper.connect", "localhost:2181");
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("lgo.dirs", "/tmp/typo");
    assertThat(BrokerSettings.of(properties).withoutEffect())
        .containsExactly("lgo.dirs", "num.io.threads", "zookeeper.connect");
  }

  @Test
  void what_one_node_does_in_any_case_is_not_listed() {
    Map<String, String> ofOneNode =
        Map.of(
            "process.roles", "broker, controller",
            "controller.quorum.voters", "1@localhost:9093",
            "controller.quorum.bootstrap.servers", "localhost:9093",
            "inter.broker.listener.name", "PLAINTEXT",
            "num.io.threads", "8",
            "offsets.topic.replication.factor", "1",
            "share.coordinator.state.topic.replication.factor", "1",
            "share.coordinator.state.topic.min.isr", "1",
            "transaction.state.log.replication.factor", "1");
    assertThat(BrokerSettings.of(ofOneNode).withoutEffect()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "process.roles | broker",
        "process.roles | broker,broker",
        "controller.quorum.voters | 1@a:9093,2@b:9093",
        "offsets.topic.replication.factor | 3",
        "transaction.state.log.replication.factor | 3",
        "default.replication.factor | 2",
        "min.insync.replicas | 2",
        "unclean.leader.election.enable | true",
      })
  void what_one_node_cannot_do_is_listed(String name, String value) {
    assertThat(BrokerSettings.of(Map.of(name, value)).withoutEffect()).containsExactly(name);
  }

  @Test
  void a_server_properties_file_of_a_combined_kafka_node_can_be_used() {
    BrokerSettings settings =
        BrokerSettings.of(
            Map.of(
                "node.id", "7",
                "listeners", "PLAINTEXT://:9092,CONTROLLER://:9093",
                "controller.listener.names", "CONTROLLER",
                "advertised.listeners", "PLAINTEXT://broker.example:9092,CONTROLLER://x:9093",
                "log.dirs", " /a , /b "));
    assertThat(settings.nodeId()).hasValue(7);
    assertThat(settings.listeners()).extracting(Listener::name).containsExactly("PLAINTEXT");
    assertThat(settings.dataDirectories()).containsExactly(Path.of("/a"), Path.of("/b"));
    assertThat(settings.advertised().byListener().get("PLAINTEXT").getHostString())
        .isEqualTo("broker.example");
  }

  @Test
  void listeners_may_have_any_names_that_are_mapped_to_plaintext() {
    BrokerSettings settings =
        BrokerSettings.of(
            Map.of(
                "listeners", "INSIDE://127.0.0.1:1,outside://[::1]:2",
                "listener.security.protocol.map", "INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT"));
    assertThat(settings.listeners())
        .extracting(Listener::name)
        .containsExactly("INSIDE", "OUTSIDE");
    assertThat(settings.listeners().get(1).address().getHostString()).isEqualTo("::1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "num.partitions | 0 | whole number from 1",
        "num.partitions | many | whole number from 1",
        "auto.create.topics.enable | maybe | true or false",
        "log.retention.hours | soon | whole number",
        "log.segment.bytes | -5 | whole number from 1",
        "message.max.bytes | 1e6 | whole number from 0",
        "compression.type | zip | compression.type",
        "listeners | 127.0.0.1:9092 | PLAINTEXT://127.0.0.1:9092",
        "listeners | PLAINTEXT://127.0.0.1:99999 | PLAINTEXT://127.0.0.1:9092",
        "listeners | SSL://127.0.0.1:9093 | only PLAINTEXT is offered",
        "listeners | PLAINTEXT://a:1,PLAINTEXT://b:2 | name once",
        "advertised.listeners | PLAINTEXT://:9092 | host",
        "log.dirs | a,a | different directories",
        "log.dirs | , | different directories",
        "socket.request.max.bytes | 0 | whole number from 1",
        "fetch.max.bytes | 10 | whole number from 1024",
        "offsets.topic.num.partitions | 0 | offsets.topic.num.partitions",
        "group.coordinator.rebalance.protocols | share | offered are",
        "tidelog.durability | mostly | tidelog.durability",
        "tidelog.batch.validation | crc | tidelog.batch.validation",
      })
  void a_wrong_value_is_one_sentence_with_name_value_and_what_is_allowed(
      String name, String value, String hint) {
    assertThatThrownBy(() -> BrokerSettings.of(Map.of(name, value)))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value)
        .hasMessageContaining(hint)
        .hasMessageNotContaining("\n");
  }

  /** Where Kafka's own table of settings is at hand, the defaults are compared with it. */
  @ParameterizedTest
  @CsvSource({
    "num.partitions",
    "auto.create.topics.enable",
    "log.retention.check.interval.ms",
    "log.flush.offset.checkpoint.interval.ms",
    "num.recovery.threads.per.data.dir",
    "delete.topic.enable",
    "fetch.max.bytes",
  })
  void defaults_are_those_of_kafka(String name) {
    AbstractConfig log = new AbstractConfig(LogConfig.SERVER_CONFIG_DEF, Map.of(), false);
    AbstractConfig server = new AbstractConfig(ServerConfigs.CONFIG_DEF, Map.of(), false);
    Object byDefault =
        log.values().containsKey(name) ? log.values().get(name) : server.values().get(name);
    assertThat(ServerNames.defaultOf(name)).isEqualTo(String.valueOf(byDefault));
  }

  @Test
  void too_little_memory_for_requests_is_refused_by_its_name() {
    assertThatThrownBy(() -> BrokerSettings.of(Map.of("queued.max.request.bytes", "65535")))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContainingAll("queued.max.request.bytes", "65536");
    assertThat(BrokerSettings.of(Map.of("queued.max.request.bytes", "65536"))).isNotNull();
    assertThat(BrokerSettings.of(Map.of("queued.max.request.bytes", "-1"))).isNotNull();
  }
}
