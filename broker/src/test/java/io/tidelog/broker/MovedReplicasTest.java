package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.net.RawClient;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeReplicaLogDirsResult.ReplicaLogDirInfo;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDir;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData.AlterReplicaLogDirTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterReplicaLogDirsRequest;
import org.apache.kafka.common.requests.AlterReplicaLogDirsResponse;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own Admin moves partitions between the data directories, under the eyes of clients. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MovedReplicasTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final TopicPartitionReplica REPLICA = new TopicPartitionReplica("orders", 0, 1);
  private static final int RECORDS = 300;

  @TempDir Path root;

  private HeldDisk held;
  private TestBroker broker;
  private Admin admin;

  @BeforeEach
  void start() throws IOException {
    held = new HeldDisk();
    BrokerSettings settings =
        BrokerSettings.embedded(root.resolve("a"))
            .with("log.dirs", root.resolve("a") + "," + root.resolve("b"))
            .with("log.segment.delete.delay.ms", "0");
    broker = TestBroker.start(settings, held.disk);
    admin = Admin.create(client());
  }

  @AfterEach
  void stop() throws IOException {
    held.release();
    admin.close();
    broker.close();
  }

  private void restart() throws IOException {
    stop();
    start();
  }

  private Map<String, Object> client() {
    return new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:" + broker.broker().port()));
  }

  private KafkaProducer<String, String> producer() {
    Map<String, Object> settings = client();
    settings.put("linger.ms", "0");
    settings.put("batch.size", "0");
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private KafkaConsumer<String, String> consumer() {
    Map<String, Object> settings = client();
    settings.put("group.id", "readers");
    settings.put("auto.offset.reset", "earliest");
    settings.put("enable.auto.commit", "false");
    return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
  }

  private Path directory(String topic) {
    return broker.log(broker.topics().find(topic).orElseThrow(), 0).directory().getParent();
  }

  private Path otherThan(Path directory) {
    return root.resolve(directory.endsWith("a") ? "b" : "a");
  }

  private void begin(TopicPartitionReplica replica, Path directory) throws Exception {
    admin.alterReplicaLogDirs(Map.of(replica, directory.toString())).all().get();
  }

  /** Asks until the partition has arrived. */
  private void await(TopicPartitionReplica replica, Path directory) throws Exception {
    while (true) {
      ReplicaLogDirInfo now = describe(replica);
      if (now.getFutureReplicaLogDir() == null) {
        assertThat(now.getCurrentReplicaLogDir()).isEqualTo(directory.toString());
        return;
      }
      assertThat(now.getFutureReplicaLogDir()).isEqualTo(directory.toString());
    }
  }

  private ReplicaLogDirInfo describe(TopicPartitionReplica replica) throws Exception {
    return admin.describeReplicaLogDirs(List.of(replica)).all().get().get(replica);
  }

  /** Asks until the metadata log says it too. */
  private void awaitRecorded(String topic, Path directory) {
    while (!broker
        .topics()
        .node()
        .directoryIds()
        .get(directory)
        .equals(
            broker.topics().image().topics().getTopic(topic).partitions().get(0).directories[0])) {
      Thread.onSpinWait();
    }
  }

  private List<String> read(KafkaConsumer<String, String> consumer, int count) {
    List<String> values = new ArrayList<>();
    while (values.size() < count) {
      consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
    }
    return values;
  }

  @Test
  void producers_and_consumers_notice_nothing() throws Exception {
    broker.create("orders");
    Path from = directory("orders");
    Path to = otherThan(from);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<String, String> producer = producer();
        KafkaConsumer<String, String> consumer = consumer()) {
      consumer.assign(List.of(ORDERS));
      for (int i = 0; i < RECORDS; i++) {
        sent.add(producer.send(new ProducerRecord<>("orders", "value " + i)));
        if (i == RECORDS / 3) {
          begin(REPLICA, to);
        } else if (i == RECORDS / 2) {
          held.release();
        }
      }
      await(REPLICA, to);
      sent.add(producer.send(new ProducerRecord<>("orders", "value " + RECORDS)));
      for (int i = 0; i <= RECORDS; i++) {
        assertThat(sent.get(i).get().offset()).isEqualTo(i);
      }
      List<String> values = read(consumer, RECORDS + 1);
      for (int i = 0; i <= RECORDS; i++) {
        assertThat(values.get(i)).isEqualTo("value " + i);
      }
    }
    assertThat(directory("orders")).isEqualTo(to);
    awaitRecorded("orders", to);
    restart();
    assertThat(folders()).containsExactly(to.resolve("orders-0"));
    awaitRecorded("orders", to);
    assertThat(broker.log(broker.topics().find("orders").orElseThrow(), 0).view().end())
        .isEqualTo(RECORDS + 1);
    assertThat(describe(REPLICA).getCurrentReplicaLogDir()).isEqualTo(to.toString());
  }

  private List<Path> folders() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      try (Stream<Path> all = Files.list(root.resolve(name))) {
        all.filter(path -> path.getFileName().toString().startsWith("orders")).forEach(found::add);
      }
    }
    return found;
  }

  @Test
  void the_copy_is_seen_beside_the_replica_while_it_grows() throws Exception {
    Topic orders = broker.create("orders");
    try (KafkaProducer<String, String> producer = producer()) {
      producer.send(new ProducerRecord<>("orders", "value")).get();
    }
    Path from = directory("orders");
    Path to = otherThan(from);
    begin(REPLICA, to);
    ReplicaInfo current = replicaIn(from);
    assertThat(current.isFuture()).isFalse();
    assertThat(current.size()).isEqualTo(broker.log(orders, 0).sizeBytes());
    assertThat(current.offsetLag()).isZero();
    ReplicaInfo copy = replicaIn(to);
    assertThat(copy.isFuture()).isTrue();
    assertThat(copy.size()).isZero();
    assertThat(copy.offsetLag()).isEqualTo(1);
    assertThat(describe(REPLICA).getFutureReplicaOffsetLag()).isEqualTo(1);
    begin(REPLICA, from);
    held.release();
    await(REPLICA, from);
    assertThat(directory("orders")).isEqualTo(from);
  }

  private ReplicaInfo replicaIn(Path directory) throws Exception {
    return admin
        .describeLogDirs(List.of(1))
        .allDescriptions()
        .get()
        .get(1)
        .get(directory.toString())
        .replicaInfos()
        .get(ORDERS);
  }

  @Test
  void the_offsets_of_groups_come_along() throws Exception {
    held.release();
    broker.create("orders");
    try (KafkaConsumer<String, String> consumer = consumer()) {
      consumer.assign(List.of(ORDERS));
      consumer.commitSync(Map.of(ORDERS, new OffsetAndMetadata(7)));
      for (int i = 0; i < broker.topics().settings().offsetsTopicPartitions(); i++) {
        Topic offsets = broker.topics().find("__consumer_offsets").orElseThrow();
        if (broker.log(offsets, i).view().end() > 0) {
          TopicPartitionReplica replica = new TopicPartitionReplica("__consumer_offsets", i, 1);
          Path to = otherThan(broker.log(offsets, i).directory().getParent());
          begin(replica, to);
          await(replica, to);
        }
      }
      assertThat(consumer.committed(Set.of(ORDERS)).get(ORDERS).offset()).isEqualTo(7);
      consumer.commitSync(Map.of(ORDERS, new OffsetAndMetadata(8)));
    }
    restart();
    try (KafkaConsumer<String, String> consumer = consumer()) {
      assertThat(consumer.committed(Set.of(ORDERS)).get(ORDERS).offset()).isEqualTo(8);
    }
  }

  @Test
  void a_partition_that_is_not_there_yet_is_created_where_it_was_wished() throws Exception {
    for (String name : List.of("a", "b", "a")) {
      Path wished = root.resolve(name);
      assertThatThrownBy(() -> begin(REPLICA, wished))
          .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
      Topic orders = broker.create("orders");
      assertThat(directory("orders")).isEqualTo(wished);
      broker.delete(orders);
    }
  }

  @Test
  void every_version_answers_as_kafka_does() throws Exception {
    held.release();
    broker.create("orders");
    String longest = "t".repeat(249);
    broker.create(longest);
    try (RawClientOfMoves client = new RawClientOfMoves()) {
      for (short version = ApiKeys.ALTER_REPLICA_LOG_DIRS.oldestVersion();
          version <= ApiKeys.ALTER_REPLICA_LOG_DIRS.latestVersion();
          version++) {
        Path to = otherThan(directory("orders"));
        assertThat(client.move(version, to.toString(), "orders", 0)).isEqualTo(Errors.NONE);
        await(REPLICA, to);
        assertThat(client.move(version, to.toString(), "orders", 0)).isEqualTo(Errors.NONE);
        assertThat(client.move(version, "a", "orders", 0)).isEqualTo(Errors.LOG_DIR_NOT_FOUND);
        assertThat(client.move(version, to.toString(), "orders", 1))
            .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(client.move(version, to.toString(), "orders", -1))
            .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(client.move(version, to.toString(), "no/topic", 0))
            .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(client.move(version, to.toString(), longest, 0))
            .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
        assertThat(client.move(version, "/none", longest, 0))
            .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION);
      }
    }
  }

  /** Asks at a version. */
  private final class RawClientOfMoves implements AutoCloseable {
    private final RawClient client;

    RawClientOfMoves() throws IOException {
      client = broker.connect();
    }

    Errors move(short version, String directory, String topic, int partition) throws IOException {
      AlterReplicaLogDir wanted = new AlterReplicaLogDir().setPath(directory);
      wanted
          .topics()
          .add(new AlterReplicaLogDirTopic().setName(topic).setPartitions(List.of(partition)));
      AlterReplicaLogDirsRequestData asked = new AlterReplicaLogDirsRequestData();
      asked.dirs().add(wanted);
      AlterReplicaLogDirsResponse answer =
          (AlterReplicaLogDirsResponse)
              client.call(new AlterReplicaLogDirsRequest.Builder(asked).build(version));
      return Errors.forCode(answer.data().results().get(0).partitions().get(0).errorCode());
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }
}
