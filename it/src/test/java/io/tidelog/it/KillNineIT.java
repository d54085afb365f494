package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process is killed under load again and again, while one Java producer goes on across all of
 * it.
 */
class KillNineIT {
  private static final int ROUNDS = 20;
  private static final List<String> TOPICS = List.of("page-cache", "fsync");

  @TempDir Path directory;

  @Test
  void every_acknowledged_record_is_there_once_and_in_order_after_twenty_kills() throws Exception {
    SplittableRandom random = new SplittableRandom(20);
    BrokerProcess.Options options =
        BrokerProcess.Options.of(directory.resolve("data")).onPort(freePort());
    BrokerProcess broker = BrokerProcess.start(options);
    try {
      createTopics(broker.bootstrap());
      try (Load load = new Load(broker.bootstrap())) {
        for (int round = 0; round < ROUNDS; round++) {
          load.awaitAcknowledged(200 + random.nextInt(1500));
          broker.kill();
          broker = BrokerProcess.start(options);
        }
        int sent = load.stop();
        for (String topic : TOPICS) {
          assertThat(JavaClients.valuesByAssign(broker.bootstrap(), topic, sent))
              .as(topic)
              .isEqualTo(IntStream.range(0, sent).mapToObj(Integer::toString).toList());
        }
      }
      assertThat(broker.stop()).isZero();
    } finally {
      broker.close();
    }
  }

  @Test
  void what_was_deleted_stays_deleted() throws Exception {
    BrokerProcess.Options options =
        BrokerProcess.Options.of(directory.resolve("data")).onPort(freePort());
    TopicPartition partition = new TopicPartition("page-cache", 0);
    BrokerProcess broker = BrokerProcess.start(options);
    try {
      createTopics(broker.bootstrap());
      try (KafkaProducer<String, String> producer = JavaClients.producer(broker.bootstrap())) {
        for (int i = 0; i < 100; i++) {
          producer.send(new ProducerRecord<>(partition.topic(), "v" + i));
        }
      }
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
        var deleted = admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(50)));
        assertThat(deleted.lowWatermarks().get(partition).get().lowWatermark()).isEqualTo(50);
        broker.kill();
        broker = BrokerProcess.start(options);
        var earliest = admin.listOffsets(Map.of(partition, OffsetSpec.earliest()));
        assertThat(earliest.partitionResult(partition).get().offset()).isEqualTo(50);
      }
    } finally {
      broker.close();
    }
  }

  private static void createTopics(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      List<NewTopic> topics = new ArrayList<>();
      for (String topic : TOPICS) {
        topics.add(new NewTopic(topic, 1, (short) 1).configs(Map.of("tidelog.durability", topic)));
      }
      admin.createTopics(topics).all().get();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Sends the numbers from 0 on to each topic until told to stop. */
  private static final class Load implements AutoCloseable {
    private static final int MOST_UNACKNOWLEDGED = 2_000;

    private final KafkaProducer<String, String> producer;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final Thread thread;
    private volatile boolean stopped;
    private volatile Exception failure;
    private int sent;

    Load(String bootstrap) {
      producer = JavaClients.producer(bootstrap);
      thread = new Thread(this::run, "load");
      thread.start();
    }

    private void run() {
      while (!stopped) {
        if (sent * TOPICS.size() - acknowledged.get() > MOST_UNACKNOWLEDGED) {
          LockSupport.parkNanos(100_000);
          continue;
        }
        String value = Integer.toString(sent);
        for (String topic : TOPICS) {
          producer.send(
              new ProducerRecord<>(topic, value),
              (metadata, e) -> {
                if (e != null) {
                  failure = e;
                }
                acknowledged.incrementAndGet();
              });
        }
        sent++;
      }
    }

    /** Waits until so many more sends were answered. */
    void awaitAcknowledged(int more) throws Exception {
      int target = acknowledged.get() + more;
      long deadline = System.nanoTime() + 60_000_000_000L;
      while (acknowledged.get() < target) {
        check(deadline);
        LockSupport.parkNanos(200_000);
      }
    }

    private void check(long deadline) throws Exception {
      if (failure != null) {
        throw failure;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("only " + acknowledged.get() + " sends were answered in time");
      }
    }

    /** Ends the load; answers how many numbers each topic was sent, all of them acknowledged. */
    int stop() throws Exception {
      stopped = true;
      thread.join();
      producer.flush();
      check(Long.MAX_VALUE);
      return sent;
    }

    @Override
    public void close() {
      stopped = true;
      producer.close();
    }
  }
}
