package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One data directory, served by Kafka and Tidelog in turn: each finds all that the other left. */
class DirectoryRoundTripIT {
  private static final long FIRST_MS = 1_700_000_000_000L;
  private static final List<Long> TIMES_MS =
      List.of(0L, FIRST_MS, FIRST_MS + 15, FIRST_MS + 100_000, Long.MAX_VALUE / 2);
  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
  private static final List<String> GROUPS = List.of("classic", "modern", "transacting");

  private static final Map<String, String> KAFKA = kafka();
  private static final Map<String, String> NO_COMPACTION = Map.of("log.cleaner.enable", "false");

  @TempDir Path directory;

  /** Small snapshots, and rules of access that only it heeds. */
  private static Map<String, String> kafka() {
    Map<String, String> settings = new HashMap<>(KafkaProcess.quick());
    settings.put("metadata.log.max.record.bytes.between.snapshots", "3000");
    settings.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.put("super.users", "User:ANONYMOUS");
    return settings;
  }

  private static Map<String, String> with(Map<String, String> settings, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(more);
    return all;
  }

  @Test
  void from_kafka_to_tidelog_and_back_and_again() throws Exception {
    Path data = directory.resolve("data");
    KafkaProcess.format(data, KAFKA);
    Served left;
    try (KafkaProcess kafka = KafkaProcess.start(data, KAFKA)) {
      fill(kafka.bootstrap());
      commit(kafka.bootstrap(), 3);
      Transactions.endTwo(kafka.bootstrap());
      Transactions.leaveOneOpen(kafka.bootstrap());
      compact(kafka.bootstrap(), data);
      KafkasOwnMetadata.set(kafka.bootstrap());
      left = served(kafka.bootstrap());
      kafka.stop();
    }
    assertThat(files(data, ".checkpoint")).isNotEmpty();
    assertThat(left.records().get("compacted-0")).hasSizeLessThan(100);
    assertThat(left.offsets())
        .containsEntry("open-0", "0 to 1")
        .containsEntry("open-0 stable", "to 0");

    Served byTidelog;
    try (BrokerProcess tidelog = tidelog(data)) {
      served(tidelog.bootstrap()).assertSame(left);
      change(tidelog.bootstrap());
      Transactions.endTwo(tidelog.bootstrap());
      Transactions.leaveOneOpen(tidelog.bootstrap());
      byTidelog = served(tidelog.bootstrap());
      assertThat(byTidelog.offsets())
          .containsEntry("open-0", "0 to 3")
          .containsEntry("open-0 stable", "to 2");
      assertThat(tidelog.stop()).isZero();
    }
    kafkasDecodersReadOurs(data);

    try (KafkaProcess kafka = KafkaProcess.start(data, with(KAFKA, NO_COMPACTION))) {
      served(kafka.bootstrap()).assertSame(byTidelog);
      KafkasOwnMetadata.assertThere(kafka.bootstrap());
      produce(kafka.bootstrap(), "codecs", 1, "zstd", "after");
      Transactions.endTwo(kafka.bootstrap());
      Transactions.leaveOneOpen(kafka.bootstrap());
      byTidelog = served(kafka.bootstrap());
      kafka.stop();
    }
    assertThat(files(data, "-stray")).isEmpty();

    try (BrokerProcess tidelog = tidelog(data)) {
      served(tidelog.bootstrap()).assertSame(byTidelog);
      assertThat(tidelog.stop()).isZero();
    }
  }

  private static BrokerProcess tidelog(Path data) throws Exception {
    return BrokerProcess.start(
        BrokerProcess.Options.of(data)
            .with(
                "metadata.log.max.record.bytes.between.snapshots=500",
                "group.initial.rebalance.delay.ms=0"));
  }

  private static Served served(String bootstrap) throws Exception {
    return Served.by(bootstrap, TIMES_MS, GROUPS);
  }

  /** Topics with all codecs, headers, nulls, times that run backwards, and deleted records. */
  private static void fill(String bootstrap) throws Exception {
    try (Admin admin = admin(bootstrap)) {
      admin
          .createTopics(
              List.of(
                  new NewTopic("codecs", 3, (short) 1).configs(Map.of("retention.ms", "-1")),
                  new NewTopic("transacted", 1, (short) 1).configs(Map.of("retention.ms", "-1")),
                  new NewTopic("open", 1, (short) 1),
                  new NewTopic("shortened", 1, (short) 1)
                      .configs(Map.of("message.timestamp.type", "LogAppendTime")),
                  new NewTopic("deleted", 1, (short) 1),
                  new NewTopic("compacted", 1, (short) 1)
                      .configs(
                          Map.of(
                              "cleanup.policy", "compact",
                              "segment.ms", "1",
                              "min.cleanable.dirty.ratio", "0.001"))))
          .all()
          .get();
      for (String codec : CODECS) {
        produce(bootstrap, "codecs", 0, codec, "first");
        produce(bootstrap, "codecs", 1, codec, "first");
      }
      produce(bootstrap, "shortened", 0, "lz4", "first");
      produce(bootstrap, "deleted", 0, "none", "first");
      admin
          .deleteRecords(
              Map.of(new TopicPartition("shortened", 0), RecordsToDelete.beforeOffset(5)))
          .all()
          .get();
      admin.deleteTopics(List.of("deleted")).all().get();
      KafkasOwnMetadata.set(admin, ConfigResource.Type.BROKER, "", "log.segment.bytes", "2000000");
      KafkasOwnMetadata.set(
          admin, ConfigResource.Type.GROUP, "modern", "consumer.session.timeout.ms", "50000");
    }
  }

  private static void produce(
      String bootstrap, String topic, int partition, String codec, String prefix) throws Exception {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "compression.type", codec, "linger.ms", 50);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        List<Header> headers =
            List.of(
                new RecordHeader("codec", codec.getBytes(StandardCharsets.UTF_8)),
                new RecordHeader("none", null));
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    topic,
                    partition,
                    FIRST_MS + (i % 3 == 0 ? -i : i),
                    i % 5 == 0 ? null : prefix + " key " + i,
                    i % 7 == 0 ? null : prefix + " value " + i + " " + codec,
                    headers)));
      }
      for (Future<?> one : sent) {
        one.get();
      }
    }
  }

  /** Two groups that read, and commit after so many records. */
  private static void commit(String bootstrap, int records) {
    for (String protocol : List.of("classic", "consumer")) {
      String group = protocol.equals("classic") ? "classic" : "modern";
      try (KafkaConsumer<String, String> consumer =
          JavaClients.consumer(
              bootstrap,
              Map.of("group.id", group, "group.protocol", protocol, "max.poll.records", 1))) {
        consumer.subscribe(List.of("codecs"));
        int read = 0;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (read < records && System.nanoTime() < deadline) {
          read += consumer.poll(Duration.ofMillis(500)).count();
        }
        assertThat(read).isGreaterThanOrEqualTo(records);
        consumer.commitSync();
        consumer.commitSync(
            Map.of(
                new TopicPartition("codecs", 2),
                new OffsetAndMetadata(0, Optional.empty(), "nothing there")));
      }
    }
  }

  /** Overwrites keys until Kafka has compacted the topic. */
  private static void compact(String bootstrap, Path data) throws Exception {
    try (KafkaProducer<String, String> producer = JavaClients.producer(bootstrap)) {
      for (int round = 0; round < 10; round++) {
        for (int key = 0; key < 10; key++) {
          String value = key == 3 ? null : "value " + round;
          producer.send(new ProducerRecord<>("compacted", "key " + key, value)).get();
        }
      }
    }
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .ignoreException(NoSuchFileException.class)
        .until(
            () ->
                Files.readString(data.resolve("cleaner-offset-checkpoint"))
                    .lines()
                    .anyMatch(
                        ("compacted 0 " + activeSegment(data.resolve("compacted-0")))::equals));
  }

  /** The base offset of the last segment, which is never compacted. */
  private static long activeSegment(Path folder) throws Exception {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".log"))
          .mapToLong(name -> Long.parseLong(name.replace(".log", "")))
          .max()
          .orElseThrow();
    }
  }

  /** All that can be changed here. */
  private static void change(String bootstrap) throws Exception {
    try (Admin admin = admin(bootstrap)) {
      NewTopic keepsAll = new NewTopic("new", 2, (short) 1).configs(Map.of("retention.ms", "-1"));
      admin.createTopics(List.of(keepsAll)).all().get();
      admin.createTopics(List.of(new NewTopic("passing", 1, (short) 1))).all().get();
      admin.createTopics(List.of(new NewTopic("deleted", 1, (short) 1))).all().get();
      admin.createPartitions(Map.of("codecs", NewPartitions.increaseTo(4))).all().get();
      for (String codec : CODECS) {
        produce(bootstrap, "codecs", 0, codec, "second");
        produce(bootstrap, "codecs", 3, codec, "second");
        produce(bootstrap, "new", 1, codec, "second");
      }
      produce(bootstrap, "passing", 0, "none", "second");
      admin.deleteTopics(List.of("passing")).all().get();
      JavaClients.producer(bootstrap).close();
      admin
          .deleteRecords(
              Map.of(
                  new TopicPartition("shortened", 0),
                  RecordsToDelete.beforeOffset(9),
                  new TopicPartition("codecs", 1),
                  RecordsToDelete.beforeOffset(30)))
          .all()
          .get();
      KafkasOwnMetadata.set(
          admin, ConfigResource.Type.TOPIC, "codecs", "max.message.bytes", "2000000");
      KafkasOwnMetadata.set(admin, ConfigResource.Type.BROKER, "", "log.segment.bytes", "3000000");
      KafkasOwnMetadata.set(
          admin, ConfigResource.Type.BROKER, "1", "log.message.timestamp.after.max.ms", "3600001");
    }
    try (KafkaProducer<String, String> producer = JavaClients.producer(bootstrap)) {
      for (int key = 0; key < 5; key++) {
        producer.send(new ProducerRecord<>("compacted", "key " + key, "by tidelog")).get();
      }
    }
    commit(bootstrap, 2);
  }

  private static Admin admin(String bootstrap) {
    return Admin.create(Map.of("bootstrap.servers", bootstrap));
  }

  private void kafkasDecodersReadOurs(Path data) throws Exception {
    assertThat(files(data, ".checkpoint")).hasSize(1);
    for (Path file : files(data, ".checkpoint")) {
      assertThat(dump("--cluster-metadata-decoder", file))
          .contains("SnapshotHeader", "SnapshotFooter", "ACCESS_CONTROL_ENTRY_RECORD");
    }
    for (Path file : files(data, ".log")) {
      String decoder =
          Map.of(
                  "__cluster_metadata", "--cluster-metadata-decoder",
                  "__consumer_offsets", "--offsets-decoder",
                  "__transaction_state", "--transaction-log-decoder")
              .get(file.getParent().getFileName().toString().replaceFirst("-[0-9]+$", ""));
      if (decoder != null && Files.size(file) > 0) {
        assertThat(dump(decoder, file)).contains("| offset:");
      }
    }
  }

  private String dump(String decoder, Path file) throws Exception {
    Path output = directory.resolve("dump");
    Command.java(
        output, "org.apache.kafka.tools.DumpLogSegments", decoder, "--files", file.toString());
    String text = Files.readString(output);
    assertThat(text + Files.readString(directory.resolve("dump.stderr")))
        .doesNotContain("isvalid: false", "Exception", "Could not");
    return text;
  }

  private static List<Path> files(Path data, String suffix) throws Exception {
    try (Stream<Path> all = Files.walk(data)) {
      return all.filter(path -> path.toString().endsWith(suffix)).sorted().toList();
    }
  }
}
