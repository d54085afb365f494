package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka dies in the middle of its work, without a clean stop, and Tidelog takes over. */
class KilledKafkaIT {
  private static final Map<String, String> SETTINGS =
      KafkaProcess.withVotersInTheLog(KafkaProcess.quick());
  private static final int RECORDS = 2_000;
  private static final int KEYS = 10;
  private static final int ROUNDS = 25;

  @TempDir Path directory;

  @Test
  void what_kafka_acknowledged_before_it_was_killed_is_served_and_given_back() throws Exception {
    Path data = directory.resolve("data");
    KafkaProcess.format(data, SETTINGS, "--standalone");
    try (KafkaProcess kafka = KafkaProcess.start(data, SETTINGS)) {
      createTopics(kafka.bootstrap());
      write(kafka.bootstrap());
      kafka.kill();
    }
    assertThat(data.resolve(".kafka_cleanshutdown")).doesNotExist();

    Served served;
    try (BrokerProcess tidelog =
        BrokerProcess.start(
            BrokerProcess.Options.of(data)
                .with("metadata.log.max.record.bytes.between.snapshots=1"))) {
      served = Served.by(tidelog.bootstrap(), List.of(0L), List.of());
      assertThat(served.records().get("plain-0")).hasSize(RECORDS);
      assertThat(lastValues(served))
          .hasSize(KEYS)
          .allMatch(line -> line.contains("value " + (ROUNDS - 1) + " "));
      assertThat(tidelog.stop()).isZero();
    }

    try (KafkaProcess kafka = KafkaProcess.start(data, SETTINGS)) {
      Served again = Served.by(kafka.bootstrap(), List.of(0L), List.of());
      assertThat(again.topics()).isEqualTo(served.topics());
      assertThat(again.records().get("plain-0")).isEqualTo(served.records().get("plain-0"));
      assertThat(lastValues(again)).isEqualTo(lastValues(served));
      kafka.stop();
    }
    assertThat(Files.readString(data.resolve("__cluster_metadata-0/quorum-state")))
        .contains("\"data_version\":1");
  }

  private static void createTopics(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("plain", 1, (short) 1),
                  new NewTopic("compacted", 1, (short) 1)
                      .configs(
                          Map.of(
                              "cleanup.policy", "compact",
                              "segment.ms", "1",
                              "min.cleanable.dirty.ratio", "0.001"))))
          .all()
          .get();
    }
  }

  private static void write(String bootstrap) throws Exception {
    JavaClients.produce(bootstrap, "plain", Collections.nCopies(RECORDS, "a value"));
    try (KafkaProducer<String, String> producer = JavaClients.producer(bootstrap)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (int key = 0; key < KEYS; key++) {
          producer.send(new ProducerRecord<>("compacted", "key " + key, "value " + round)).get();
        }
      }
    }
  }

  /** The last record of each key. */
  private static List<String> lastValues(Served served) {
    List<String> all = served.records().get("compacted-0");
    return all.subList(all.size() - KEYS, all.size());
  }
}
