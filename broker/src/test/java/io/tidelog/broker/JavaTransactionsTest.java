package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.topic.FeatureLevels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions of Kafka's own Java clients, with either version of the protocol. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JavaTransactionsTest {
  private static final TopicPartition PARTITION = new TopicPartition("topic", 0);

  @TempDir Path directory;
  private TestBroker broker;

  private void start(int transactionVersion) throws IOException {
    TestBroker.start(directory).close();
    FeatureLevels.set(directory, "transaction.version", transactionVersion);
    broker = TestBroker.start(settings());
    broker.create("topic", 2, Map.of());
  }

  /** Groups need not wait for more members. */
  private BrokerSettings settings() {
    return BrokerSettings.embedded(directory).with("group.initial.rebalance.delay.ms", "0");
  }

  private void restart() throws IOException {
    broker.close();
    broker = TestBroker.start(settings());
  }

  @AfterEach
  void stop() throws IOException {
    broker.close();
  }

  private Map<String, Object> with(Map<String, String> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", "127.0.0.1:" + broker.broker().port());
    return all;
  }

  private Producer<String, String> producer(String transactionalId) {
    Producer<String, String> producer =
        new KafkaProducer<>(
            with(Map.of("transactional.id", transactionalId)),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    return producer;
  }

  private Consumer<String, String> consumer(String isolation) {
    return new KafkaConsumer<>(
        with(
            Map.of(
                "isolation.level",
                isolation,
                "group.id",
                "group",
                "enable.auto.commit",
                "false",
                "auto.offset.reset",
                "earliest",
                "fetch.max.wait.ms",
                "10")),
        new StringDeserializer(),
        new StringDeserializer());
  }

  /** The values of partition 0 up to what a reader may see now. */
  private List<String> read(String isolation) {
    List<String> values = new ArrayList<>();
    try (Consumer<String, String> consumer = consumer(isolation)) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      long end = consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
      while (consumer.position(PARTITION) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }

  private static ProducerRecord<String, String> record(int partition, String value) {
    return new ProducerRecord<>("topic", partition, null, value);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void what_is_committed_is_read_what_is_aborted_or_open_is_not(int version) throws IOException {
    start(version);
    try (Producer<String, String> producer = producer("id")) {
      for (int i = 0; i < 5; i++) {
        producer.beginTransaction();
        producer.send(record(0, "committed " + i));
        producer.send(record(1, "other"));
        producer.commitTransaction();
        producer.beginTransaction();
        producer.send(record(0, "aborted " + i));
        producer.flush();
        producer.abortTransaction();
      }
      producer.beginTransaction();
      producer.send(record(0, "open"));
      producer.flush();
      assertThat(read("read_committed"))
          .containsExactly(
              "committed 0", "committed 1", "committed 2", "committed 3", "committed 4");
      assertThat(read("read_uncommitted")).hasSize(11).endsWith("open");
      producer.commitTransaction();
      assertThat(read("read_committed")).hasSize(6).endsWith("open");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void offsets_are_committed_with_the_transaction_or_not_at_all(int version) throws IOException {
    start(version);
    try (Producer<String, String> producer = producer("id");
        Consumer<String, String> consumer = consumer("read_committed")) {
      consumer.subscribe(List.of("topic"));
      while (consumer.assignment().size() < 2) {
        consumer.poll(Duration.ofMillis(50));
      }
      ConsumerGroupMetadata group = consumer.groupMetadata();
      producer.beginTransaction();
      producer.send(record(1, "result"));
      producer.sendOffsetsToTransaction(Map.of(PARTITION, new OffsetAndMetadata(7)), group);
      producer.commitTransaction();
      assertThat(consumer.committed(java.util.Set.of(PARTITION)).get(PARTITION).offset())
          .isEqualTo(7);
      producer.beginTransaction();
      producer.sendOffsetsToTransaction(Map.of(PARTITION, new OffsetAndMetadata(9)), group);
      producer.abortTransaction();
      assertThat(consumer.committed(java.util.Set.of(PARTITION)).get(PARTITION).offset())
          .isEqualTo(7);
    }
    restart();
    try (Consumer<String, String> consumer = consumer("read_committed")) {
      assertThat(consumer.committed(java.util.Set.of(PARTITION)).get(PARTITION).offset())
          .isEqualTo(7);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void a_second_instance_fences_the_first_and_aborts_what_it_left_open(int version)
      throws IOException {
    start(version);
    try (Producer<String, String> first = producer("id")) {
      first.beginTransaction();
      first.send(record(0, "left open"));
      first.flush();
      try (Producer<String, String> second = producer("id")) {
        second.beginTransaction();
        second.send(record(0, "second"));
        second.commitTransaction();
      }
      assertThatThrownBy(first::commitTransaction)
          .isInstanceOfAny(ProducerFencedException.class, InvalidProducerEpochException.class);
      assertThat(read("read_committed")).containsExactly("second");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void a_transaction_that_is_open_goes_on_after_a_restart(int version) throws IOException {
    start(version);
    int port = broker.broker().port();
    try (Producer<String, String> producer = producer("id")) {
      producer.beginTransaction();
      producer.send(record(0, "before"));
      producer.flush();
      broker.close();
      broker = TestBroker.start(settings().with("listeners", "PLAINTEXT://127.0.0.1:" + port));
      producer.send(record(0, "after"));
      producer.commitTransaction();
      assertThat(read("read_committed")).containsExactly("before", "after");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void interleaved_transactions_are_read_the_same_from_every_offset(int version) throws Exception {
    start(version);
    try (Producer<String, String> one = producer("one");
        Producer<String, String> two = producer("two");
        Producer<String, String> three = producer("three");
        Producer<String, String> plain =
            new KafkaProducer<>(with(Map.of()), new StringSerializer(), new StringSerializer())) {
      one.beginTransaction();
      two.beginTransaction();
      three.beginTransaction();
      one.send(record(0, "0 one")).get();
      plain.send(record(0, "1 plain")).get();
      two.send(record(0, "2 two")).get();
      one.abortTransaction();
      two.send(record(0, "4 two")).get();
      plain.send(record(0, "5 plain")).get();
      two.commitTransaction();
      three.send(record(0, "7 three")).get();
      plain.send(record(0, "8 plain")).get();
      List<String> committed = List.of("1 plain", "2 two", "4 two", "5 plain");
      assertReadFromEveryOffset(committed, 7);
      three.commitTransaction();
      List<String> all = new ArrayList<>(committed);
      all.addAll(List.of("7 three", "8 plain"));
      assertReadFromEveryOffset(all, 10);
    }
  }

  private void assertReadFromEveryOffset(List<String> committed, long end) {
    try (Consumer<String, String> consumer = consumer("read_committed")) {
      consumer.assign(List.of(PARTITION));
      assertThat(consumer.endOffsets(List.of(PARTITION))).containsEntry(PARTITION, end);
      for (long from = 0; from < end; from++) {
        consumer.seek(PARTITION, from);
        List<String> values = new ArrayList<>();
        while (consumer.position(PARTITION) < end) {
          consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
        }
        long first = from;
        assertThat(values)
            .as("from %d", from)
            .isEqualTo(committed.stream().filter(value -> value.charAt(0) - '0' >= first).toList());
      }
    }
  }
}
