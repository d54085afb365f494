package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's own Java clients with their default settings. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class JavaClientsTest {
  private static final int RECORDS = 2_000;

  @TempDir Path directory;
  private TestBroker broker;

  @BeforeEach
  void start() throws IOException {
    broker = TestBroker.start(BrokerSettings.embedded(directory).with("num.partitions", "3"));
  }

  @AfterEach
  void stop() throws IOException {
    broker.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
  void what_a_default_producer_sends_a_consumer_reads(String codec) throws Exception {
    String topic = "auto-" + codec;
    try (Producer<String, String> producer = producer(Map.of("compression.type", codec))) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        sent.add(producer.send(new ProducerRecord<>(topic, "key" + i, "value" + i)));
      }
      producer.flush();
      for (Future<RecordMetadata> one : sent) {
        assertThat(one.get().offset()).isNotNegative();
      }
    }
    List<String> values = new ArrayList<>();
    try (Consumer<String, String> consumer = consumer(Map.of())) {
      consumer.assign(partitions(topic, 3));
      consumer.seekToBeginning(consumer.assignment());
      while (values.size() < RECORDS) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(5))) {
          assertThat(record.value()).isEqualTo("value" + record.key().substring(3));
          values.add(record.value());
        }
      }
    }
    assertThat(values).hasSize(RECORDS).doesNotHaveDuplicates();
  }

  @Test
  void a_consumer_seeks_to_offsets_and_times() throws Exception {
    TopicPartition partition = new TopicPartition("seek", 0);
    broker.create("seek");
    try (Producer<String, String> producer = producer(Map.of())) {
      for (int i = 0; i < 100; i++) {
        producer.send(new ProducerRecord<>("seek", 0, Batches.NOW + i, null, "v" + i)).get();
      }
    }
    try (Consumer<String, String> consumer = consumer(Map.of())) {
      consumer.assign(List.of(partition));
      assertThat(consumer.beginningOffsets(List.of(partition))).containsEntry(partition, 0L);
      assertThat(consumer.endOffsets(List.of(partition))).containsEntry(partition, 100L);
      OffsetAndTimestamp found =
          consumer.offsetsForTimes(Map.of(partition, Batches.NOW + 40)).get(partition);
      assertThat(found.offset()).isEqualTo(40);
      assertThat(consumer.offsetsForTimes(Map.of(partition, Batches.NOW + 100)).get(partition))
          .isNull();
      consumer.seek(partition, 40);
      assertThat(consumer.poll(Duration.ofSeconds(5)).iterator().next().value()).isEqualTo("v40");
      consumer.seek(partition, 99);
      assertThat(consumer.poll(Duration.ofSeconds(5)).count()).isEqualTo(1);
    }
  }

  @Test
  void a_group_goes_on_where_it_stopped() throws Exception {
    send("grouped", 10);
    assertThat(readAsGroup("grouped", 10)).hasSize(10);
    send("grouped", 7);
    assertThat(readAsGroup("grouped", 7)).hasSize(7);
  }

  private void send(String topic, int records) throws Exception {
    try (Producer<String, String> producer = producer(Map.of())) {
      for (int i = 0; i < records; i++) {
        producer.send(new ProducerRecord<>(topic, "v" + i)).get();
      }
    }
  }

  private List<String> readAsGroup(String topic, int expected) {
    List<String> values = new ArrayList<>();
    Map<String, String> group = Map.of("group.id", "readers", "auto.offset.reset", "earliest");
    try (Consumer<String, String> consumer = consumer(group)) {
      consumer.subscribe(List.of(topic));
      while (values.size() < expected) {
        consumer.poll(Duration.ofSeconds(5)).forEach(record -> values.add(record.value()));
      }
      consumer.commitSync();
    }
    return values;
  }

  @Test
  void producers_hear_why_a_record_was_refused() {
    broker.create("compacted", 1, Map.of("cleanup.policy", "compact"));
    broker.create("small", 1, Map.of("max.message.bytes", "500"));
    try (Producer<String, String> producer = producer(Map.of())) {
      assertThat(failure(producer.send(new ProducerRecord<>("compacted", "no key"))))
          .isInstanceOf(InvalidRecordException.class)
          .hasMessageContaining("key");
      assertThat(failure(producer.send(new ProducerRecord<>("small", "x".repeat(1000)))))
          .isInstanceOf(RecordTooLargeException.class);
      assertThat(failure(producer.send(new ProducerRecord<>("small", "fits")))).isNull();
    }
  }

  private static Throwable failure(Future<RecordMetadata> sent) {
    try {
      sent.get(20, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException e) {
      return e.getCause();
    } catch (Exception e) {
      return e;
    }
  }

  private Producer<String, String> producer(Map<String, String> settings) {
    return new KafkaProducer<>(with(settings), new StringSerializer(), new StringSerializer());
  }

  private Consumer<String, String> consumer(Map<String, String> settings) {
    return new KafkaConsumer<>(with(settings), new StringDeserializer(), new StringDeserializer());
  }

  private Map<String, Object> with(Map<String, String> settings) {
    Map<String, Object> all = new java.util.HashMap<>(settings);
    all.put("bootstrap.servers", "127.0.0.1:" + broker.broker().port());
    return all;
  }

  private static List<TopicPartition> partitions(String topic, int count) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      partitions.add(new TopicPartition(topic, i));
    }
    return partitions;
  }
}
