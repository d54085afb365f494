package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.PartitionLog;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeReplicaLogDirsResult.ReplicaLogDirInfo;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction goes on while a partition that it writes to, or the one that holds its state, is
 * moved to another data directory. The partition is large enough to be copied in several pieces.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MovedTransactionsTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final String STATE = "__transaction_state";
  private static final int LARGE_RECORDS = 8;
  private static final int LARGE_BYTES = 700_000;
  private static final int ONE_PIECE_BYTES = 4 << 20;

  @TempDir Path root;

  private HeldDisk held;
  private TestBroker broker;
  private Admin admin;

  @BeforeEach
  void start() throws IOException {
    held = new HeldDisk();
    broker =
        TestBroker.start(
            BrokerSettings.embedded(root.resolve("a"))
                .with("log.dirs", root.resolve("a") + "," + root.resolve("b"))
                .with("log.segment.delete.delay.ms", "0")
                .with("transaction.state.log.num.partitions", "1"),
            held.disk);
    admin = Admin.create(client());
  }

  @AfterEach
  void stop() throws IOException {
    held.release();
    admin.close();
    broker.close();
  }

  private Map<String, Object> client() {
    return new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:" + broker.broker().port()));
  }

  private KafkaProducer<String, String> producer(Map<String, Object> more) {
    Map<String, Object> settings = client();
    settings.put("linger.ms", "0");
    settings.putAll(more);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private KafkaProducer<String, String> teller() {
    KafkaProducer<String, String> teller = producer(Map.of("transactional.id", "teller"));
    teller.initTransactions();
    return teller;
  }

  private static void send(KafkaProducer<String, String> producer, String value) {
    producer.send(new ProducerRecord<>("orders", value));
    producer.flush();
  }

  /** The values that are not large, as a reader of committed records sees them. */
  private List<String> committed() {
    Map<String, Object> settings = client();
    settings.put("isolation.level", "read_committed");
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(ORDERS));
      consumer.seekToBeginning(List.of(ORDERS));
      long end = consumer.endOffsets(List.of(ORDERS)).get(ORDERS);
      while (consumer.position(ORDERS) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
    }
    values.removeIf(value -> value.length() == LARGE_BYTES);
    return values;
  }

  private PartitionLog log(String topic) {
    Topic found = broker.topics().find(topic).orElseThrow();
    return broker.log(found, 0);
  }

  /** Begins the move of a topic's only partition to the other directory. */
  private Path begin(String topic) throws Exception {
    Path to = root.resolve(log(topic).directory().getParent().endsWith("a") ? "b" : "a");
    admin
        .alterReplicaLogDirs(Map.of(new TopicPartitionReplica(topic, 0, 1), to.toString()))
        .all()
        .get();
    return to;
  }

  private ReplicaLogDirInfo describe(String topic) throws Exception {
    TopicPartitionReplica replica = new TopicPartitionReplica(topic, 0, 1);
    return admin.describeReplicaLogDirs(List.of(replica)).all().get().get(replica);
  }

  /** Lets the copy begin, and asks until it has arrived. */
  private void arrive(String topic, Path directory) throws Exception {
    assertThat(describe(topic).getFutureReplicaLogDir()).isEqualTo(directory.toString());
    held.release();
    while (describe(topic).getFutureReplicaLogDir() != null) {
      Thread.onSpinWait();
    }
    assertThat(describe(topic).getCurrentReplicaLogDir()).isEqualTo(directory.toString());
    assertThat(log(topic).directory().getParent()).isEqualTo(directory);
  }

  @Test
  void one_that_is_open_while_its_partition_moves_is_ended_there() throws Exception {
    broker.create("orders");
    try (KafkaProducer<String, String> plain = producer(Map.of("batch.size", "0"))) {
      for (int i = 0; i < LARGE_RECORDS; i++) {
        plain.send(new ProducerRecord<>("orders", "x".repeat(LARGE_BYTES))).get();
      }
    }
    try (KafkaProducer<String, String> teller = teller()) {
      teller.beginTransaction();
      send(teller, "aborted before");
      teller.abortTransaction();
      teller.beginTransaction();
      send(teller, "before");
      long begun = log("orders").view().stable();
      assertThat(log("orders").segments()).hasSize(1);
      assertThat(log("orders").sizeBytes()).isGreaterThan(ONE_PIECE_BYTES);
      Path to = begin("orders");
      send(teller, "meanwhile");
      arrive("orders", to);
      assertThat(log("orders").segments()).hasSizeGreaterThan(1);
      assertThat(log("orders").view().stable()).isEqualTo(begun);
      assertThat(committed()).isEmpty();
      send(teller, "after");
      teller.commitTransaction();
      assertThat(committed()).containsExactly("before", "meanwhile", "after");
      teller.beginTransaction();
      send(teller, "aborted after");
      teller.abortTransaction();
    }
    assertThat(committed()).containsExactly("before", "meanwhile", "after");
    assertThat(log("orders").view().stable()).isEqualTo(log("orders").view().end());
    stop();
    start();
    assertThat(committed()).containsExactly("before", "meanwhile", "after");
    assertThat(log("orders").view().stable()).isEqualTo(log("orders").view().end());
  }

  @Test
  void one_that_is_open_and_ends_while_its_state_moves_is_known_there() throws Exception {
    broker.create("orders");
    try (KafkaProducer<String, String> teller = teller()) {
      teller.beginTransaction();
      send(teller, "first");
      Path to = begin(STATE);
      send(teller, "second");
      teller.commitTransaction();
      teller.beginTransaction();
      send(teller, "third");
      arrive(STATE, to);
      assertThat(state()).isEqualTo(TransactionState.ONGOING);
      assertThat(committed()).containsExactly("first", "second");
      teller.commitTransaction();
      teller.beginTransaction();
      send(teller, "left open");
    }
    stop();
    start();
    assertThat(state()).isEqualTo(TransactionState.COMPLETE_ABORT);
    try (KafkaProducer<String, String> next = teller()) {
      next.beginTransaction();
      send(next, "fourth");
      next.commitTransaction();
    }
    assertThat(committed()).containsExactly("first", "second", "third", "fourth");
  }

  @Test
  void one_that_nobody_ends_is_found_again_where_its_state_was_moved_to() throws Exception {
    broker.create("orders");
    KafkaProducer<String, String> left = teller();
    left.beginTransaction();
    send(left, "left open");
    arrive(STATE, begin(STATE));
    left.close(Duration.ZERO);
    stop();
    start();
    assertThat(state()).isEqualTo(TransactionState.ONGOING);
    try (KafkaProducer<String, String> next = teller()) {
      next.beginTransaction();
      send(next, "of the next");
      next.commitTransaction();
    }
    assertThat(committed()).containsExactly("of the next");
  }

  private TransactionState state() throws Exception {
    return admin.describeTransactions(List.of("teller")).description("teller").get().state();
  }
}
