package io.tidelog.it;

import static org.apache.kafka.clients.admin.AlterConfigOp.OpType.APPEND;
import static org.apache.kafka.clients.admin.AlterConfigOp.OpType.DELETE;
import static org.apache.kafka.clients.admin.AlterConfigOp.OpType.SET;
import static org.apache.kafka.clients.admin.AlterConfigOp.OpType.SUBTRACT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The configs of a broker and of all brokers, altered step by step here and in Kafka: the same
 * error or none, and after each step the same values from the same sources.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class BrokerConfigsAsKafkaIT {
  /** Cannot be altered, and are not the same here and there. */
  private static final Set<String> EACH_ITS_OWN =
      Set.of("log.dirs", "node.id", "advertised.listeners");

  private static final ConfigResource ONE = new ConfigResource(ConfigResource.Type.BROKER, "1");
  private static final ConfigResource ALL = new ConfigResource(ConfigResource.Type.BROKER, "");

  private static final List<Step> STEPS =
      List.of(
          Step.of(ALL, set("log.retention.ms", "3600000")),
          Step.of(ONE, set("log.retention.ms", "7200000")),
          Step.of(ONE, set("log.retention.ms", "an hour")),
          Step.of(ONE, op("log.retention.ms", "1", APPEND)),
          Step.of(ONE, op("log.retention.ms", null, DELETE)),
          Step.of(ONE, op("log.segment.bytes", null, DELETE)),
          Step.of(ALL, op("log.cleanup.policy", "compact", APPEND)),
          Step.of(ALL, op("log.cleanup.policy", "delete", SUBTRACT)),
          Step.of(ALL, set("log.cleanup.policy", "keep")),
          Step.of(ONE, set("message.max.bytes", "-5")),
          Step.of(ONE, set("message.max.bytes", null)),
          Step.of(ONE, set("message.max.bytes", " 2000000 ")),
          Step.of(ONE, set("log.message.timestamp.type", "Yesterday")),
          Step.of(ONE, set("compression.type", "zstd"), set("compression.type", "lz4")),
          Step.of(ONE, set("compression.type", "zstd"), set("log.index.interval.bytes", "soon")),
          Step.of(ALL, set("compression.type", "zstd"), set("log.index.interval.bytes", "8192")),
          Step.of(ONE, set("log.cleaner.threads", "3")),
          Step.of(ONE, set("log.cleaner.threads", "2")),
          Step.of(ALL, set("log.cleaner.threads", "0")),
          Step.of(ALL, set("log.cleaner.backoff.ms", "2000")),
          Step.of(ONE, set("log.cleaner.dedupe.buffer.size", "1048576")),
          Step.of(ONE, set("log.dirs", "elsewhere")),
          Step.of(ALL, set("log.dirs", "elsewhere")),
          Step.of(ALL, set("node.id", "2")),
          Step.of(ALL, set("advertised.listeners", "PLAINTEXT://127.0.0.1:1")),
          Step.of(ONE, set("no.such.config", "1")),
          Step.of(ALL, set("min.insync.replicas", "1")),
          Step.of(ALL, op("log.retention.ms", null, DELETE)),
          Step.of(ONE, op("message.max.bytes", null, DELETE)));

  @TempDir Path directory;

  /** What one request asks of one resource. */
  private record Step(ConfigResource resource, List<AlterConfigOp> ops) {
    static Step of(ConfigResource resource, AlterConfigOp... ops) {
      return new Step(resource, List.of(ops));
    }

    Set<String> names() {
      return ops.stream().map(op -> op.configEntry().name()).collect(Collectors.toSet());
    }
  }

  private static AlterConfigOp set(String name, String value) {
    return op(name, value, SET);
  }

  private static AlterConfigOp op(String name, String value, AlterConfigOp.OpType type) {
    return new AlterConfigOp(new ConfigEntry(name, value), type);
  }

  @Test
  void each_step_has_the_same_outcome() throws Exception {
    Path kafkaData = directory.resolve("kafka");
    KafkaProcess.format(kafkaData, KafkaProcess.quick());
    try (KafkaProcess kafka = KafkaProcess.start(kafkaData, KafkaProcess.quick());
        BrokerProcess broker =
            BrokerProcess.start(
                BrokerProcess.Options.of(directory.resolve("data"))
                    .with("log.cleaner.backoff.ms=100"));
        Admin kafkas = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()));
        Admin here = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      Set<String> names = new TreeSet<>();
      for (Step step : STEPS) {
        for (boolean isCheck : new boolean[] {true, false}) {
          assertThat(outcome(here, step, isCheck))
              .as("%s, only a check: %s", step, isCheck)
              .isEqualTo(outcome(kafkas, step, isCheck));
        }
        names.addAll(step.names());
        names.removeAll(EACH_ITS_OWN);
        List<String> ours = described(here, names);
        // Kafka answers before it shows what was altered.
        await()
            .untilAsserted(
                () -> assertThat(described(kafkas, names)).as("after %s", step).isEqualTo(ours));
      }
      kafka.stop();
      assertThat(broker.stop()).isZero();
    }
  }

  private static Errors outcome(Admin admin, Step step, boolean isCheck) throws Exception {
    Map<ConfigResource, Collection<AlterConfigOp>> asked = Map.of(step.resource(), step.ops());
    try {
      admin
          .incrementalAlterConfigs(asked, new AlterConfigsOptions().validateOnly(isCheck))
          .all()
          .get();
      return Errors.NONE;
    } catch (ExecutionException e) {
      return Errors.forException(e.getCause());
    }
  }

  private static List<String> described(Admin admin, Set<String> names) throws Exception {
    List<String> lines = new ArrayList<>();
    for (ConfigResource resource : List.of(ONE, ALL)) {
      admin
          .describeConfigs(List.of(resource), new DescribeConfigsOptions().includeSynonyms(true))
          .all()
          .get()
          .get(resource)
          .entries()
          .stream()
          .filter(entry -> names.contains(entry.name()))
          .map(entry -> resource.name() + ": " + entry)
          .sorted()
          .forEach(lines::add);
    }
    return lines;
  }
}
