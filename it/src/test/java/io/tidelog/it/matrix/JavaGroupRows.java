package io.tidelog.it.matrix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Consumer groups. */
final class JavaGroupRows {
  private static final int PARTITIONS = 4;
  private static final int ROUND = 40;

  private final JavaClient client;

  JavaGroupRows(JavaClient client) {
    this.client = client;
  }

  /** A second member joins and leaves; every record is read once. */
  void rebalance(Map<String, Object> settings) throws Exception {
    String suffix = settings.isEmpty() ? "group" : "group-kip848";
    String topic = client.createTopic(suffix, PARTITIONS);
    Map<String, Object> all = new HashMap<>(settings);
    all.put("group.id", client.name(suffix));
    if (settings.isEmpty()) {
      all.put("heartbeat.interval.ms", 200);
      all.put("session.timeout.ms", 10_000);
    }
    List<String> read = new ArrayList<>();
    JavaMember first = JavaMember.join(client.consumer(all), topic);
    JavaClient.await("the first has all", () -> first.owned() == PARTITIONS);
    send(topic, 0);
    JavaClient.await("the first reads all", () -> first.values().size() == ROUND);

    JavaMember second = JavaMember.join(client.consumer(all), topic);
    JavaClient.await("each has half", () -> first.owned() == 2 && second.owned() == 2);
    send(topic, 1);
    JavaClient.await(
        "both read the second round",
        () -> first.values().size() + second.values().size() == 2 * ROUND);
    JavaClient.checkEqual(second.values().size(), ROUND / 2);
    second.leave();

    JavaClient.await("the first has all again", () -> first.owned() == PARTITIONS);
    send(topic, 2);
    JavaClient.await(
        "the first reads the third round", () -> first.values().size() == 2 * ROUND + ROUND / 2);
    first.leave();
    read.addAll(first.values());
    read.addAll(second.values());
    JavaClient.checkEqual(
        read.stream().map(Integer::valueOf).sorted().toList(),
        IntStream.range(0, 3 * ROUND).boxed().toList());
    checkCommitted(topic, all);
  }

  private void send(String topic, int round) {
    try (KafkaProducer<String, String> producer = client.producer(Map.of())) {
      for (int i = round * ROUND; i < (round + 1) * ROUND; i++) {
        producer.send(new ProducerRecord<>(topic, i % PARTITIONS, null, Integer.toString(i)));
      }
      producer.flush();
    }
  }

  /** A consumer that continues from what was committed starts at the end. */
  private void checkCommitted(String topic, Map<String, Object> settings) {
    try (KafkaConsumer<String, String> consumer = client.consumer(settings)) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        TopicPartition one = new TopicPartition(topic, partition);
        consumer.assign(List.of(one));
        JavaClient.checkEqual(consumer.position(one), 3L * ROUND / PARTITIONS);
      }
    }
  }

  /** What an administrator sees and does of a group; after {@link #rebalance}. */
  void admin() throws Exception {
    String group = client.name("group");
    TopicPartition partition = new TopicPartition(client.name("group"), 1);
    try (AdminClient admin = client.admin()) {
      Map<TopicPartition, OffsetAndMetadata> offsets =
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      JavaClient.checkEqual(offsets.size(), PARTITIONS);
      JavaClient.checkEqual(offsets.get(partition).offset(), 3L * ROUND / PARTITIONS);
      JavaClient.checkEqual(
          admin
              .describeConsumerGroups(List.of(group))
              .describedGroups()
              .get(group)
              .get()
              .members()
              .size(),
          0);
      admin.deleteConsumerGroups(List.of(group)).all().get();
      JavaClient.checkEqual(
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get(), Map.of());
    }
  }
}
