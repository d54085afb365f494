package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.SimBroker.HeldScheduler;
import io.tidelog.broker.TransactionClient.EndOf;
import io.tidelog.log.AppendSource;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TransactionState;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.apache.kafka.server.common.TransactionVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a producer is told between the end of its transaction and the last of its markers. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TransactionsWhileMarkersWaitTest {
  private static final int NEWEST = 13;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final int LAST_EPOCH = Short.MAX_VALUE - 1;
  private static final TopicPartition PARTITION = new TopicPartition("durable", 0);

  private final SimDisk disk = new SimDisk(1);
  private HeldScheduler scheduler;
  private TestBroker broker;
  private TransactionClient producer;
  private Topic topic;

  @BeforeEach
  void begin() throws IOException {
    start();
    Map<String, String> configs =
        Map.of("tidelog.durability", "fsync", "message.timestamp.type", "LogAppendTime");
    topic = broker.create("durable", 1, configs);
    assertThat(producer.start()).isEqualTo(Errors.NONE);
  }

  private void start() throws IOException {
    scheduler = new HeldScheduler();
    broker = SimBroker.start(disk, new SimClock(), scheduler);
    producer = new TransactionClient(broker.connect(), "id", NEWEST);
  }

  @AfterEach
  void stop() throws IOException {
    scheduler.release();
    producer.close();
    broker.close();
  }

  private Errors write(int sequence) throws IOException {
    return Errors.forCode(producer.write(topic, 0, sequence, "v").errorCode());
  }

  /** From now on the marker is not durable, and the transaction not complete. */
  private void commitWithTheMarkerHeldBack() throws IOException {
    assertThat(write(0)).isEqualTo(Errors.NONE);
    scheduler.hold();
    assertThat(producer.commit()).isEqualTo(Errors.NONE);
  }

  @Test
  void whatever_comes_next_with_the_new_epoch_is_told_to_come_again() throws IOException {
    commitWithTheMarkerHeldBack();
    assertThat(producer.epoch()).isEqualTo((short) 1);
    assertThat(producer.end(EndOf.ABORT)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    assertThat(producer.end(EndOf.COMMIT)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    assertThat(producer.tryToAdd(PARTITION)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    assertThat(write(0)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);

    scheduler.release();
    assertThat(producer.abort()).isEqualTo(Errors.NONE);
    assertThat(producer.epoch()).isEqualTo((short) 2);
  }

  @Test
  void an_end_that_is_asked_for_again_is_answered_once_it_is_complete() throws IOException {
    commitWithTheMarkerHeldBack();
    producer.goOnAs(producer.producerId(), producer.epoch() - 1);
    assertThat(producer.end(EndOf.COMMIT)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    scheduler.release();
    assertThat(producer.commit()).isEqualTo(Errors.NONE);
    assertThat(producer.epoch()).isEqualTo((short) 1);
  }

  @Test
  void the_id_that_follows_the_last_epoch_is_known_before_it_is_in_force() throws IOException {
    long first = beginWithTheLastEpoch();
    commitWithTheMarkerHeldBack();
    assertThat(producer.producerId()).isNotEqualTo(first);
    assertThat(producer.epoch()).isZero();
    assertThat(write(0)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    assertThat(producer.tryToAdd(PARTITION)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);
    assertThat(producer.end(EndOf.ABORT)).isEqualTo(Errors.CONCURRENT_TRANSACTIONS);

    scheduler.release();
    assertThat(producer.add(PARTITION)).isEqualTo(Errors.NONE);
    assertThat(write(0)).isEqualTo(Errors.NONE);
    assertThat(producer.commit()).isEqualTo(Errors.NONE);
    assertThat(producer.epoch()).isEqualTo((short) 1);
  }

  /** The producer of this test, as it is after many transactions. */
  private long beginWithTheLastEpoch() throws IOException {
    long id = producer.producerId();
    TxnTransitMetadata worn =
        new TxnTransitMetadata(
            id,
            id,
            -1,
            (short) (LAST_EPOCH - 1),
            (short) (LAST_EPOCH - 2),
            60_000,
            TransactionState.COMPLETE_COMMIT,
            new HashSet<>(),
            1,
            1,
            TransactionVersion.TV_2);
    Topic states = broker.topics().find("__transaction_state").orElseThrow();
    Partition partition =
        states.partition(Utils.abs("id".hashCode()) % states.partitionCount()).orElseThrow();
    MemoryRecords batch =
        MemoryRecords.withRecords(
            Compression.NONE,
            new SimpleRecord(
                1,
                TransactionLog.keyToBytes("id"),
                TransactionLog.valueToBytes(worn, TransactionVersion.TV_2)));
    partition.log().append(batch.buffer(), partition.leaderEpoch(), AppendSource.COORDINATOR);
    stop();
    start();
    topic = broker.topics().find("durable").orElseThrow();
    assertThat(producer.start()).isEqualTo(Errors.NONE);
    assertThat(producer.producerId()).isEqualTo(id);
    assertThat(producer.epoch()).isEqualTo((short) LAST_EPOCH);
    return id;
  }

  @Test
  void kafkas_own_producer_aborts_and_commits_right_after_a_commit() throws Exception {
    try (Producer<String, String> java = javaProducer()) {
      java.initTransactions();
      for (int round = 0; round < 3; round++) {
        java.beginTransaction();
        java.send(new ProducerRecord<>("durable", "committed")).get();
        scheduler.hold();
        java.commitTransaction();
        java.beginTransaction();
        double before = retries(java);
        java.send(new ProducerRecord<>("durable", "aborted"));
        awaitRetry(java, before);
        CompletableFuture<Void> aborted = CompletableFuture.runAsync(java::abortTransaction);
        scheduler.release();
        aborted.get();
      }
    }
    try (DataClient reader = broker.dataClient().readCommitted()) {
      PartitionData read = reader.fetch(topic, 0, 0);
      assertThat(read.lastStableOffset()).isEqualTo(12);
      assertThat(read.abortedTransactions())
          .extracting(AbortedTransaction::firstOffset)
          .as("records and markers take turns")
          .containsExactly(2L, 6L, 10L);
    }
  }

  private static double retries(Producer<?, ?> java) {
    return java.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals("record-retry-total"))
        .filter(metric -> metric.getKey().group().equals("producer-metrics"))
        .mapToDouble(metric -> (double) metric.getValue().metricValue())
        .sum();
  }

  /** The record was refused, and is sent again. */
  private static void awaitRetry(Producer<?, ?> java, double before) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (retries(java) == before) {
      assertThat(System.nanoTime()).as("no retry in time").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private Producer<String, String> javaProducer() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", "127.0.0.1:" + broker.broker().port());
    settings.put("transactional.id", "java");
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }
}
