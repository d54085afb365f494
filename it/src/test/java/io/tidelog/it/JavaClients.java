package io.tidelog.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's Java client with its default settings, and the few sentences that tests say with it. */
final class JavaClients {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long LIMIT_NANOS = Duration.ofSeconds(120).toNanos();

  private JavaClients() {}

  static KafkaProducer<String, String> producer(String bootstrap) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", bootstrap), new StringSerializer(), new StringSerializer());
  }

  static void produce(String bootstrap, String topic, List<String> values) {
    try (KafkaProducer<String, String> producer = producer(bootstrap)) {
      for (String value : values) {
        producer.send(new ProducerRecord<>(topic, value));
      }
      producer.flush();
    }
  }

  static KafkaConsumer<String, String> consumer(String bootstrap, Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", bootstrap);
    all.put("auto.offset.reset", "earliest");
    return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
  }

  /** The values of a topic's first partition from the beginning, by assign. */
  static List<String> valuesByAssign(String bootstrap, String topic, int count) {
    try (KafkaConsumer<String, String> consumer =
        consumer(bootstrap, Map.of("enable.auto.commit", false))) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      return poll(consumer, count);
    }
  }

  /** The values of a topic by a group of one, which commits. */
  static List<String> valuesByGroup(String bootstrap, String topic, String group, int count) {
    try (KafkaConsumer<String, String> consumer = consumer(bootstrap, Map.of("group.id", group))) {
      consumer.subscribe(List.of(topic));
      List<String> values = poll(consumer, count);
      consumer.commitSync();
      return values;
    }
  }

  private static List<String> poll(KafkaConsumer<String, String> consumer, int count) {
    List<String> values = new ArrayList<>();
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (values.size() < count) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "got " + values.size() + " of " + count + " records within the time limit");
      }
      for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
        values.add(record.value());
      }
    }
    return values;
  }
}
