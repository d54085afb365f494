package io.tidelog.it.matrix;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;

/** Transactions. */
final class JavaTransactionRows {
  private static final int SIZE = 10;

  private final JavaClient client;

  JavaTransactionRows(JavaClient client) {
    this.client = client;
  }

  /** One commit, one abort, one commit with a group's offsets, and a producer that is replaced. */
  void commitAbortAndFence() throws Exception {
    String topic = client.createTopic("transactions", 1);
    try (KafkaProducer<String, String> first = producer()) {
      first.initTransactions();
      first.beginTransaction();
      send(first, topic, 0);
      checkCommitted(topic, List.of());
      first.commitTransaction();
      first.beginTransaction();
      send(first, topic, 1);
      first.abortTransaction();
      first.beginTransaction();
      send(first, topic, 2);
      sendOffsets(first, new TopicPartition(topic, 0), 7);
      first.commitTransaction();
      checkCommitted(topic, List.of(0, 2));
      checkOffset(new TopicPartition(topic, 0), 7);
      replace(first, topic);
    }
    checkCommitted(topic, List.of(0, 2, 4));
    JavaClient.checkEqual(read(topic, "read_uncommitted", 50), values(List.of(0, 1, 2, 3, 4)));
  }

  private KafkaProducer<String, String> producer() {
    return client.producer(Map.of("transactional.id", client.name("transactions")));
  }

  private static void send(KafkaProducer<String, String> producer, String topic, int round)
      throws Exception {
    for (String value : values(List.of(round))) {
      producer.send(new ProducerRecord<>(topic, value));
    }
    producer.flush();
  }

  private static List<String> values(List<Integer> rounds) {
    return rounds.stream()
        .flatMap(round -> IntStream.range(round * SIZE, (round + 1) * SIZE).boxed())
        .map(i -> Integer.toString(i))
        .toList();
  }

  /** A second producer with the same id aborts what the first has open, and fences it. */
  private void replace(KafkaProducer<String, String> first, String topic) throws Exception {
    first.beginTransaction();
    send(first, topic, 3);
    try (KafkaProducer<String, String> second = producer()) {
      second.initTransactions();
      try {
        first.commitTransaction();
        throw new AssertionError("a fenced producer has committed");
      } catch (ProducerFencedException e) {
        second.beginTransaction();
        send(second, topic, 4);
        second.commitTransaction();
      }
    }
  }

  /** By the group's name, or what a consumer knows of its group, in releases that want that. */
  private void sendOffsets(
      KafkaProducer<String, String> producer, TopicPartition partition, long offset) {
    Map<TopicPartition, OffsetAndMetadata> offsets =
        Map.of(partition, new OffsetAndMetadata(offset));
    Method byName =
        JavaClient.method(KafkaProducer.class, "sendOffsetsToTransaction", Map.class, String.class);
    if (byName != null) {
      JavaClient.call(byName, producer, offsets, client.name("transactions"));
    } else {
      try (KafkaConsumer<String, String> consumer = member()) {
        producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
      }
    }
  }

  private KafkaConsumer<String, String> member() {
    return client.consumer(Map.of("group.id", client.name("transactions")));
  }

  private void checkOffset(TopicPartition partition, long offset) {
    try (KafkaConsumer<String, String> consumer = member()) {
      consumer.assign(List.of(partition));
      JavaClient.checkEqual(consumer.position(partition), offset);
    }
  }

  private void checkCommitted(String topic, List<Integer> rounds) {
    List<String> expected = values(rounds);
    JavaClient.checkEqual(read(topic, "read_committed", expected.size()), expected);
  }

  /** Reads to what the isolation level lets a reader see, which must be so many records. */
  private List<String> read(String topic, String isolation, int count) {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        client.consumer(Map.of("isolation.level", isolation))) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(Collections.singleton(partition)).get(partition);
      JavaClient.await(
          "the end " + end + " is reached",
          () -> {
            for (ConsumerRecord<String, String> record : JavaClient.poll(consumer)) {
              values.add(record.value());
            }
            return consumer.position(partition) >= end;
          });
    }
    JavaClient.checkEqual(values.size(), count);
    return values;
  }
}
