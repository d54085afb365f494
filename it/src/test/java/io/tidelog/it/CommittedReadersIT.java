package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions of three producers that lie between each other, one of them aborted and one open,
 * are read alike by Java's consumer and by librdkafka (in kcat), from every offset on, with fetches
 * of any size, in one segment and in many.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class CommittedReadersIT {
  private static final String ONE_MIB = "1048576";
  private static final List<String> FETCH_SIZES = List.of("1", "100", ONE_MIB);

  /** Offsets 0, 1 and 5 are an aborted transaction, 8 is a marker, and 9 is left open. */
  private static final Map<Long, String> WHILE_OPEN =
      Map.of(2L, "plain 1", 3L, "t2 a", 4L, "t2 b", 6L, "t2 c", 7L, "plain 2");

  private static final long FIRST_OPEN = 9;

  @TempDir Path directory;
  private BrokerProcess broker;
  private int outputs;

  @BeforeEach
  void start() throws Exception {
    broker = BrokerProcess.start(BrokerProcess.Options.of(directory.resolve("data")));
  }

  @AfterEach
  void stop() throws Exception {
    assertThat(broker.stop()).isZero();
  }

  private KafkaProducer<String, String> producer(Map<String, Object> more) {
    Map<String, Object> settings = new TreeMap<>(more);
    settings.put("bootstrap.servers", broker.bootstrap());
    settings.put("linger.ms", 60_000);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private KafkaProducer<String, String> transactional(String id) {
    KafkaProducer<String, String> producer = producer(Map.of("transactional.id", id));
    producer.initTransactions();
    producer.beginTransaction();
    return producer;
  }

  /** All values in one batch. */
  private static void send(KafkaProducer<String, String> producer, String... values) {
    for (String value : values) {
      producer.send(new ProducerRecord<>("ledger", value));
    }
    producer.flush();
  }

  private void createTopic(int segmentBytes) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      NewTopic ledger =
          new NewTopic("ledger", 1, (short) 1)
              .configs(Map.of("internal.segment.bytes", Integer.toString(segmentBytes)));
      admin.createTopics(List.of(ledger)).all().get();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1 << 20})
  void see_the_same_records_from_every_offset(int segmentBytes) throws Exception {
    createTopic(segmentBytes);
    try (KafkaProducer<String, String> plain = producer(Map.of());
        KafkaProducer<String, String> first = transactional("t1");
        KafkaProducer<String, String> second = transactional("t2");
        KafkaProducer<String, String> third = transactional("t3")) {
      send(first, "t1 a", "t1 b");
      send(plain, "plain 1");
      send(second, "t2 a", "t2 b");
      first.abortTransaction();
      send(second, "t2 c");
      send(plain, "plain 2");
      second.commitTransaction();
      send(third, "t3 a", "t3 b");
      send(plain, "plain 3");
      requireFromEveryOffset(WHILE_OPEN, FIRST_OPEN);
      third.commitTransaction();
    }
    Map<Long, String> all = new TreeMap<>(WHILE_OPEN);
    all.putAll(Map.of(9L, "t3 a", 10L, "t3 b", 11L, "plain 3"));
    requireFromEveryOffset(all, FIRST_OPEN + 4);
  }

  /** Both kinds of readers see these records, and their end is this offset. */
  private void requireFromEveryOffset(Map<Long, String> values, long end) throws Exception {
    for (String fetchBytes : FETCH_SIZES) {
      try (KafkaConsumer<String, String> consumer = consumer(fetchBytes)) {
        TopicPartition partition = new TopicPartition("ledger", 0);
        consumer.assign(List.of(partition));
        assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, end);
        for (long from = 0; from <= end; from++) {
          List<String> expected = from(values, from);
          assertThat(read(consumer, partition, from, end))
              .as("Java's consumer from %d with fetches of %s bytes", from, fetchBytes)
              .isEqualTo(expected);
          assertThat(kcat(from, fetchBytes))
              .as("kcat from %d with fetches of %s bytes", from, fetchBytes)
              .isEqualTo(expected);
        }
      }
    }
  }

  private static List<String> from(Map<Long, String> values, long from) {
    return new TreeMap<>(values)
        .tailMap(from).entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList();
  }

  private KafkaConsumer<String, String> consumer(String fetchBytes) {
    return JavaClients.consumer(
        broker.bootstrap(),
        Map.of(
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false,
            "fetch.max.wait.ms",
            10,
            "max.partition.fetch.bytes",
            fetchBytes));
  }

  private static List<String> read(
      KafkaConsumer<String, String> consumer, TopicPartition partition, long from, long end) {
    consumer.seek(partition, from);
    List<String> read = new ArrayList<>();
    while (consumer.position(partition) < end) {
      consumer
          .poll(Duration.ofMillis(50))
          .forEach(record -> read.add(record.offset() + " " + record.value()));
    }
    return read;
  }

  private List<String> kcat(long from, String fetchBytes) throws Exception {
    Path output = directory.resolve("kcat." + outputs++);
    Command.kcat(
        output,
        broker,
        "-C",
        "-t",
        "ledger",
        "-p",
        "0",
        "-o",
        Long.toString(from),
        "-e",
        "-q",
        "-f",
        "%o %s\\n",
        "-X",
        "isolation.level=read_committed",
        "-X",
        "fetch.wait.max.ms=10",
        "-X",
        "fetch.message.max.bytes=" + fetchBytes);
    return Files.readString(output).lines().toList();
  }
}
