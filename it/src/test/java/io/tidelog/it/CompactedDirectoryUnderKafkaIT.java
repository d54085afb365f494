package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.Broker;
import io.tidelog.broker.BrokerSettings;
import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's topic, the groups and the transactions of real clients are compacted; what they say is
 * the same before, after a restart, and under Kafka.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class CompactedDirectoryUnderKafkaIT {
  private static final String TOPIC = "accounts";
  private static final org.apache.kafka.common.TopicPartition ACCOUNTS =
      new org.apache.kafka.common.TopicPartition(TOPIC, 0);
  private static final String GROUP = "auditors";
  private static final int SEGMENT_BYTES = 1 << 20;
  private static final int KEYS = 50;
  private static final int RECORDS = 3_000;
  private static final int COMMITS = 700;
  private static final int TRANSACTIONS = 40;

  /** As long as may be, so that a segment is soon full. */
  private static final String METADATA = "m".repeat(4_000);

  /** So long that each record of its state takes much room. */
  private static final String TELLER = "teller-" + "t".repeat(20_000);

  @TempDir Path directory;

  private Path data() {
    return directory.resolve("data");
  }

  /** One partition of each internal topic, compacted as soon as anything is dirty. */
  private Broker tidelog() throws IOException {
    String segmentBytes = Integer.toString(SEGMENT_BYTES);
    return Broker.start(
        BrokerSettings.embedded(data())
            .with("node.id", "1")
            .with("offsets.topic.num.partitions", "1")
            .with("offsets.topic.segment.bytes", segmentBytes)
            .with("transaction.state.log.num.partitions", "1")
            .with("transaction.state.log.segment.bytes", segmentBytes)
            .with("log.cleaner.min.cleanable.ratio", "0")
            .with("log.cleaner.backoff.ms", "20"));
  }

  /** What clients see of a broker. */
  private record Seen(List<String> records, Map<String, String> groups, String transaction) {}

  @Test
  void says_the_same_after_a_restart_and_under_kafka() throws Exception {
    Seen before;
    try (Broker broker = tidelog()) {
      String bootstrap = "127.0.0.1:" + broker.port();
      write(bootstrap);
      for (String topic : List.of(TOPIC, "__consumer_offsets", "__transaction_state")) {
        awaitCompacted(topic);
      }
      before = look(bootstrap);
      assertThat(before.records).hasSizeLessThan(RECORDS / 2);
      assertThat(before.records).noneMatch(record -> record.contains("aborted"));
      assertThat(before.groups).hasSize(2).containsValue((COMMITS - 1) + " " + METADATA);
    }
    try (Broker broker = tidelog()) {
      assertThat(look("127.0.0.1:" + broker.port())).isEqualTo(before);
    }
    Map<String, String> settings = new TreeMap<>(KafkaProcess.quick());
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    try (KafkaProcess kafka = KafkaProcess.start(data(), settings)) {
      assertThat(look(kafka.bootstrap())).isEqualTo(before);
      transact(kafka.bootstrap(), 2);
      kafka.stop();
    }
    try (Broker broker = tidelog()) {
      Seen after = look("127.0.0.1:" + broker.port());
      assertThat(after.groups).isEqualTo(before.groups);
      assertThat(after.records).hasSize(before.records.size() + 1);
    }
  }

  private void write(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      NewTopic accounts =
          new NewTopic(TOPIC, 1, (short) 1)
              .configs(
                  Map.of(
                      "cleanup.policy",
                      "compact",
                      "segment.bytes",
                      Integer.toString(SEGMENT_BYTES)));
      admin.createTopics(List.of(accounts)).all().get();
    }
    transact(bootstrap, TRANSACTIONS);
    try (KafkaProducer<String, String> producer = JavaClients.producer(bootstrap)) {
      for (int i = 0; i < RECORDS; i++) {
        String value = i % 7 == 0 ? null : i + " " + "v".repeat(1_000);
        producer.send(new ProducerRecord<>(TOPIC, "key " + i % KEYS, value));
      }
    }
    commit(bootstrap, GROUP, COMMITS);
    commit(bootstrap, "others", 1);
  }

  /** The odd ones are aborted. */
  private static void transact(String bootstrap, int count) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "transactional.id", TELLER);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      for (int i = 0; i < count; i++) {
        boolean isCommitted = i % 2 == 0;
        producer.beginTransaction();
        producer.send(
            new ProducerRecord<>(TOPIC, "transacted " + i, isCommitted ? "committed" : "aborted"));
        producer.flush();
        if (isCommitted) {
          producer.commitTransaction();
        } else {
          producer.abortTransaction();
        }
      }
    }
  }

  private static void commit(String bootstrap, String group, int times) {
    try (KafkaConsumer<String, String> member =
        JavaClients.consumer(bootstrap, Map.of("group.id", group))) {
      for (int i = 0; i < times; i++) {
        member.commitSync(Map.of(ACCOUNTS, new OffsetAndMetadata(i, METADATA)));
      }
    }
  }

  /** Returns when all that may be compacted is: up to the segment that is written to. */
  private void awaitCompacted(String topic) throws IOException {
    TopicPartition partition = new TopicPartition(topic, 0);
    OffsetCheckpoint checkpoint =
        new OffsetCheckpoint(new NioDisk(), data(), OffsetCheckpoint.Kind.CLEANER);
    long active = lastSegment(topic);
    assertThat(active).as("more than one segment of %s", topic).isPositive();
    while (checkpoint.read().getOrDefault(partition, 0L) < active) {
      Thread.onSpinWait();
    }
  }

  private long lastSegment(String topic) throws IOException {
    try (Stream<Path> files = Files.list(data().resolve(topic + "-0"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".log"))
          .mapToLong(name -> Long.parseLong(name.substring(0, name.length() - ".log".length())))
          .max()
          .orElseThrow();
    }
  }

  private static Seen look(String bootstrap) throws Exception {
    Map<String, String> groups = new TreeMap<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      for (String group : List.of(GROUP, "others")) {
        OffsetAndMetadata committed =
            admin
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(ACCOUNTS);
        groups.put(group, committed.offset() + " " + committed.metadata());
      }
      TransactionDescription teller =
          admin.describeTransactions(List.of(TELLER)).description(TELLER).get();
      return new Seen(
          records(bootstrap),
          groups,
          teller.state() + " " + teller.producerId() + " " + teller.producerEpoch());
    }
  }

  /** Offset, key and value of every record that is committed. */
  private static List<String> records(String bootstrap) {
    List<String> records = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        JavaClients.consumer(
            bootstrap, Map.of("isolation.level", "read_committed", "enable.auto.commit", false))) {
      consumer.assign(List.of(ACCOUNTS));
      consumer.seekToBeginning(List.of(ACCOUNTS));
      long end = consumer.endOffsets(List.of(ACCOUNTS)).get(ACCOUNTS);
      while (consumer.position(ACCOUNTS) < end) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(
                record -> records.add(record.offset() + " " + record.key() + " " + record.value()));
      }
    }
    return records;
  }
}
