package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions of three producers that lie between each other, one of them aborted and one open,
 * are read alike by Java's consumer, librdkafka (in kcat), kafkajs and Platformatic's client, from
 * every offset on, with fetches of any size, in one segment and in many. Those of Node also read
 * what is not committed. Debian's kafka-python is not among them: it knows no isolation.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class CommittedReadersIT {
  private static final String ONE_MIB = "1048576";
  private static final List<String> FETCH_SIZES = List.of("1", "100", ONE_MIB);
  private static final int SMALL_SEGMENT = 100;
  private static final int LARGE_SEGMENT = 1 << 20;

  /** All that is written. Offset 5 is the first one's marker, 8 and 12 those of the others. */
  private static final Map<Long, String> ALL =
      Map.of(
          0L, "t1 a", 1L, "t1 b", 2L, "plain 1", 3L, "t2 a", 4L, "t2 b", 6L, "t2 c", 7L, "plain 2",
          9L, "t3 a", 10L, "t3 b", 11L, "plain 3");

  private static final Set<Long> ABORTED = Set.of(0L, 1L);
  private static final long FIRST_OPEN = 9;
  private static final long LAST_MARKER = 12;

  /** What readers of an isolation are to see. */
  private record Visible(NavigableMap<Long, String> values, long end) {
    static Visible committed(long end) {
      Visible committed = uncommitted(end);
      committed.values.keySet().removeAll(ABORTED);
      return committed;
    }

    static Visible uncommitted(long end) {
      return new Visible(new TreeMap<>(new TreeMap<>(ALL).headMap(end, false)), end);
    }

    List<String> from(long offset) {
      return values.tailMap(offset).entrySet().stream()
          .map(record -> record.getKey() + " " + record.getValue())
          .toList();
    }

    /** What a Node client says. */
    List<String> told(String isolation, List<String> fetchSizes) {
      List<String> told = new ArrayList<>();
      for (String fetchBytes : fetchSizes) {
        String reader = isolation + " " + fetchBytes + " from ";
        told.add(reader + "beginning: " + String.join(", ", from(0)));
        for (long offset = 0; offset <= end; offset++) {
          told.add(reader + offset + ": " + String.join(", ", from(offset)));
        }
      }
      return told;
    }
  }

  @TempDir Path directory;
  private BrokerProcess broker;
  private int outputs;

  @BeforeEach
  void start() throws Exception {
    broker =
        BrokerProcess.start(
            BrokerProcess.Options.of(directory.resolve("data"))
                .with("group.initial.rebalance.delay.ms=0", "offsets.topic.num.partitions=1"));
  }

  @AfterEach
  void stop() throws Exception {
    assertThat(broker.stop()).isZero();
  }

  private static KafkaProducer<String, String> producer(
      String bootstrap, Map<String, Object> more) {
    Map<String, Object> settings = new TreeMap<>(more);
    settings.put("bootstrap.servers", bootstrap);
    settings.put("linger.ms", 60_000);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private static KafkaProducer<String, String> transactional(String bootstrap, String id) {
    KafkaProducer<String, String> producer = producer(bootstrap, Map.of("transactional.id", id));
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

  private static void createTopic(String bootstrap, int segmentBytes) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      NewTopic ledger =
          new NewTopic("ledger", 1, (short) 1)
              .configs(Map.of("internal.segment.bytes", Integer.toString(segmentBytes)));
      admin.createTopics(List.of(ledger)).all().get();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {SMALL_SEGMENT, LARGE_SEGMENT})
  void see_the_same_records_from_every_offset(int segmentBytes) throws Exception {
    String bootstrap = broker.bootstrap();
    createTopic(bootstrap, segmentBytes);
    try (KafkaProducer<String, String> plain = producer(bootstrap, Map.of());
        KafkaProducer<String, String> first = transactional(bootstrap, "t1");
        KafkaProducer<String, String> second = transactional(bootstrap, "t2");
        KafkaProducer<String, String> third = transactional(bootstrap, "t3")) {
      send(first, "t1 a", "t1 b");
      send(plain, "plain 1");
      send(second, "t2 a", "t2 b");
      first.abortTransaction();
      send(second, "t2 c");
      send(plain, "plain 2");
      second.commitTransaction();
      send(third, "t3 a", "t3 b");
      send(plain, "plain 3");
      requireFromEveryOffset(Visible.committed(FIRST_OPEN));
      requireOfNode(segmentBytes, FIRST_OPEN, LAST_MARKER);
      third.commitTransaction();
    }
    requireFromEveryOffset(Visible.committed(LAST_MARKER + 1));
    requireOfNode(segmentBytes, LAST_MARKER + 1, LAST_MARKER + 1);
  }

  /** Java's consumer and kcat see these records, and their end is this offset. */
  private void requireFromEveryOffset(Visible committed) throws Exception {
    long end = committed.end();
    for (String fetchBytes : FETCH_SIZES) {
      try (KafkaConsumer<String, String> consumer = consumer(fetchBytes)) {
        TopicPartition partition = new TopicPartition("ledger", 0);
        consumer.assign(List.of(partition));
        assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, end);
        for (long from = 0; from <= end; from++) {
          List<String> expected = committed.from(from);
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

  /**
   * Platformatic's client drops aborted records only if their marker comes in the same answer,
   * which it does not need to. What it hands out of Tidelog, it hands out of Kafka too.
   */
  @Test
  void platformatic_hands_out_what_was_aborted_when_fetches_are_small_from_kafka_too()
      throws Exception {
    List<String> told = platformaticAfterAbort(broker.bootstrap());
    assertThat(told).contains("read_committed 1 from beginning: 0 aborted");
    Path data = directory.resolve("kafka-data");
    KafkaProcess.format(data, KafkaProcess.quick());
    try (KafkaProcess kafka = KafkaProcess.start(data, KafkaProcess.quick())) {
      assertThat(platformaticAfterAbort(kafka.bootstrap())).isEqualTo(told);
      kafka.stop();
    }
  }

  /** A record, and the marker that says that it does not count. */
  private List<String> platformaticAfterAbort(String bootstrap) throws Exception {
    createTopic(bootstrap, LARGE_SEGMENT);
    try (KafkaProducer<String, String> producer = transactional(bootstrap, "t")) {
      send(producer, "aborted");
      producer.abortTransaction();
    }
    return node("platformatic", bootstrap, 2, 2, List.of("1"));
  }

  private void requireOfNode(int segmentBytes, long stable, long end) throws Exception {
    requireOfNode("kafkajs", List.of("1", ONE_MIB), stable, end);
    if (segmentBytes == LARGE_SEGMENT) {
      requireOfNode("platformatic", List.of(ONE_MIB), stable, end);
    }
  }

  private void requireOfNode(String client, List<String> fetchSizes, long stable, long end)
      throws Exception {
    List<String> expected = new ArrayList<>();
    expected.addAll(Visible.committed(stable).told("read_committed", fetchSizes));
    expected.addAll(Visible.uncommitted(end).told("read_uncommitted", fetchSizes));
    assertThat(node(client, broker.bootstrap(), stable, end, fetchSizes)).isEqualTo(expected);
  }

  private List<String> node(
      String client, String bootstrap, long stable, long end, List<String> fetchSizes)
      throws Exception {
    Path output = directory.resolve("node." + outputs++);
    List<String> arguments = new ArrayList<>(List.of(bootstrap, "ledger"));
    arguments.addAll(List.of(Long.toString(stable), Long.toString(end)));
    arguments.addAll(fetchSizes);
    Command.node(output, client + "_isolation.mjs", arguments.toArray(String[]::new));
    return Files.readAllLines(output);
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
