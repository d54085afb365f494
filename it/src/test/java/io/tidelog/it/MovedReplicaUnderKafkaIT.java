package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.Broker;
import io.tidelog.broker.BrokerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeReplicaLogDirsResult.ReplicaLogDirInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica that one of Kafka and Tidelog moved to another directory is there for the other. */
@Timeout(180)
class MovedReplicaUnderKafkaIT {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final TopicPartitionReplica REPLICA = new TopicPartitionReplica("orders", 0, 1);

  @TempDir Path root;

  private String bothDirectories() {
    return root.resolve("a") + "," + root.resolve("b");
  }

  private Broker tidelog() throws Exception {
    return Broker.start(
        BrokerSettings.embedded(root.resolve("a"))
            .with("log.dirs", bothDirectories())
            .with("node.id", "1"));
  }

  private KafkaProcess kafka() throws Exception {
    Map<String, String> settings = new HashMap<>(KafkaProcess.quick());
    settings.put("log.dirs", bothDirectories());
    return KafkaProcess.start(root.resolve("a"), settings);
  }

  @Test
  void both_ways() throws Exception {
    Path from;
    Path to;
    try (Broker tidelog = tidelog()) {
      String bootstrap = "127.0.0.1:" + tidelog.port();
      try (Admin admin = admin(bootstrap)) {
        admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1))).all().get();
        from = Path.of(describe(admin).getCurrentReplicaLogDir());
        to = root.resolve(from.endsWith("a") ? "b" : "a");
        produce(bootstrap, 0, 10);
        move(admin, to);
        produce(bootstrap, 10, 20);
      }
    }
    try (KafkaProcess kafka = kafka()) {
      assertThat(to.resolve("orders-0")).isDirectory();
      assertThat(from.resolve("orders-0")).doesNotExist();
      try (Admin admin = admin(kafka.bootstrap())) {
        assertThat(describe(admin).getCurrentReplicaLogDir()).isEqualTo(to.toString());
        requireRecords(kafka.bootstrap(), 20);
        produce(kafka.bootstrap(), 20, 30);
        move(admin, from);
        produce(kafka.bootstrap(), 30, 40);
      }
      kafka.stop();
    }
    try (Broker tidelog = tidelog()) {
      String bootstrap = "127.0.0.1:" + tidelog.port();
      try (Admin admin = admin(bootstrap)) {
        assertThat(describe(admin).getCurrentReplicaLogDir()).isEqualTo(from.toString());
        requireRecords(bootstrap, 40);
      }
    }
    assertThat(Files.exists(to.resolve("orders-0"))).isFalse();
  }

  private static Admin admin(String bootstrap) {
    return Admin.create(Map.of("bootstrap.servers", bootstrap));
  }

  private static ReplicaLogDirInfo describe(Admin admin) throws Exception {
    return admin.describeReplicaLogDirs(List.of(REPLICA)).all().get().get(REPLICA);
  }

  /** Returns when it has arrived. */
  private static void move(Admin admin, Path directory) throws Exception {
    admin.alterReplicaLogDirs(Map.of(REPLICA, directory.toString())).all().get();
    ReplicaLogDirInfo now = describe(admin);
    while (!directory.toString().equals(now.getCurrentReplicaLogDir())) {
      now = describe(admin);
    }
  }

  private static void produce(String bootstrap, int from, int to) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            new StringSerializer(),
            new StringSerializer())) {
      for (int i = from; i < to; i++) {
        assertThat(producer.send(new ProducerRecord<>("orders", "value " + i)).get().offset())
            .isEqualTo(i);
      }
    }
  }

  private static void requireRecords(String bootstrap, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(ORDERS));
      consumer.seekToBeginning(List.of(ORDERS));
      List<String> values = new ArrayList<>();
      while (values.size() < count) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
      for (int i = 0; i < count; i++) {
        assertThat(values.get(i)).isEqualTo("value " + i);
      }
    }
  }
}
