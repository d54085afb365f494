package io.tidelog.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.Broker;
import io.tidelog.broker.BrokerSettings;
import io.tidelog.cli.CommandRun;
import io.tidelog.cli.terminal.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tidelog explain} of a broker that runs, and of its directory meanwhile. */
@Timeout(120)
class ExplainRunningBrokerTest {
  @TempDir static Path data;
  private static Broker broker;
  private static KafkaProducer<String, String> producer;

  @BeforeAll
  static void start() throws Exception {
    broker = Broker.start(BrokerSettings.embedded(data));
    Map<String, Object> client = Map.of("bootstrap.servers", bootstrap());
    try (Admin admin = Admin.create(client)) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("paid", 1, (short) 1).configs(Map.of("retention.ms", "7200000"))))
          .all()
          .get();
    }
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", bootstrap(),
                "transactional.id", "till",
                "transaction.timeout.ms", "600000"),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("paid", "k", "settled")).get();
    producer.commitTransaction();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("paid", "k", "pending")).get();
  }

  @AfterAll
  static void stop() throws Exception {
    producer.close();
    broker.close();
  }

  private static String bootstrap() {
    return "127.0.0.1:" + broker.port();
  }

  private static List<String> explain(String... args) {
    CommandRun run = CommandRun.of(args);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    return run.lines();
  }

  @Test
  void lso_names_the_transactional_id_and_both_ways_to_end_it() {
    List<String> lines = explain("explain", "lso", "paid-0", "--bootstrap", bootstrap());

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).startsWith("log partition=paid-0 lastStableOffset=2 endOffset=3 ");
    assertThat(lines.get(1))
        .startsWith("open transactionalId=till producerId=")
        .contains(" firstOffset=2 ", " since=", " timeoutAt=")
        .contains("toEnd=its producer ends it, or its coordinator soon after ")
        .endsWith(
            "; at once: kafka-transactions.sh --bootstrap-server "
                + bootstrap()
                + " abort --topic paid --partition 0 --start-offset 2");
  }

  @Test
  void retention_goes_by_the_settings_of_the_broker_and_the_files_on_this_machine() {
    List<String> lines = explain("explain", "retention", "paid-0", "--bootstrap", bootstrap());

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).contains(" retention.ms=7200000 ").doesNotContain("defaultsAssumed");
    assertThat(lines.get(1))
        .contains("reason=young", "decidingOffset=2", "with retention.ms (2 h)");
  }

  @Test
  void compaction_goes_by_the_settings_of_the_broker_and_the_files_on_this_machine() {
    List<String> lines = explain("explain", "compaction", "paid-0", "--bootstrap", bootstrap());

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .contains(" cleanup.policy=delete verdict=not_compacted ", " limit=active_segment ")
        .doesNotContain("defaultsAssumed");
    assertThat(lines.get(1))
        .startsWith("segment baseOffset=0 endOffset=3 ")
        .contains("state=stays");
  }

  @Test
  void a_directory_is_explained_while_its_broker_runs() {
    String dir = data.toString();
    assertThat(explain("explain", "retention", "paid-0", "--dir", dir).get(0))
        .contains(" retention.ms=7200000 ")
        .doesNotContain("defaultsAssumed");
    assertThat(explain("explain", "lso", "paid-0", "--dir", dir).get(0))
        .contains("lastStableOffset=2");
    assertThat(explain("explain", "offset", "paid-0", "1", "--dir", dir).get(0))
        .contains("is=control_record");
    assertThat(explain("explain", "offset", "paid-0", "2", "--bootstrap", bootstrap()).get(0))
        .contains("is=record", "read_committed does not get yet");
  }
}
