package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A real file system is filled to its last byte under load; the process is killed there and started
 * there; then the space comes back. One Java producer goes on across all of it.
 */
class FullDiskIT {
  private static final int DISK_MEGABYTES = 24;
  private static final long PATIENCE_NANOS = Duration.ofSeconds(40).toNanos();
  private static final String TOPIC = "numbers";

  @TempDir Path directory;
  private SmallDisk disk;

  @BeforeEach
  void mount() throws Exception {
    List<String> why = new ArrayList<>();
    Optional<SmallDisk> made =
        SmallDisk.create(Files.createDirectory(directory.resolve("disk")), DISK_MEGABYTES, why);
    if (made.isEmpty()) {
      System.out.println("FullDiskIT is skipped: " + String.join("; ", why));
    }
    Assumptions.assumeTrue(made.isPresent(), () -> String.join("; ", why));
    disk = made.get();
    System.out.println("FullDiskIT fills " + disk.root());
  }

  @AfterEach
  void unmount() throws Exception {
    if (disk != null) {
      disk.remove();
    }
  }

  /**
   * @param reservedBytes what the broker is to keep free; the rest is taken by somebody else
   */
  @ParameterizedTest
  @ValueSource(strings = {"-1", "0"})
  void filled_to_the_last_byte_killed_and_started_there_it_loses_nothing_and_goes_on(
      String reservedBytes) throws Exception {
    BrokerProcess.Options options =
        BrokerProcess.Options.of(disk.root().resolve("data"))
            .onPort(freePort())
            .with("tidelog.reserved.disk.bytes=" + reservedBytes, "log.segment.bytes=1000000");
    BrokerProcess broker = BrokerProcess.start(options);
    try {
      Set<String> topics = new TreeSet<>(List.of(TOPIC, "first", "second", "third"));
      for (String topic : topics) {
        create(broker, topic);
      }
      try (Load load = new Load(broker.bootstrap())) {
        load.awaitUntil(() -> freeBytes() < (1 << 20) && load.isStuck());
        disk.fill();
        assertThat(disk.freeBytes()).isZero();
        assertReadable(broker, load);
        change(broker, topics, "first");

        broker.kill();
        assertThat(disk.freeBytes()).isZero();
        broker = BrokerProcess.start(options);
        disk.fill(); // a start removes what the killed process left half-written
        assertThat(topics(broker)).isEqualTo(topics);
        assertReadable(broker, load);
        change(broker, topics, "second");

        int before = load.acknowledged().size();
        disk.free();
        load.awaitUntil(() -> load.acknowledged().size() >= before + 500);
        int sent = load.stop();
        change(broker, topics, "third");
        assertThat(topics).doesNotContain("third");
        assertThat(JavaClients.valuesByAssign(broker.bootstrap(), TOPIC, sent))
            .isEqualTo(load.values(sent));
      }
      assertThat(broker.stop()).isZero();
    } finally {
      broker.close();
    }
  }

  private long freeBytes() {
    try {
      return disk.freeBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was acknowledged can be read, in order. */
  private static void assertReadable(BrokerProcess broker, Load load) {
    List<String> acknowledged = load.acknowledged();
    List<String> read = JavaClients.valuesByAssign(broker.bootstrap(), TOPIC, acknowledged.size());
    assertThat(read.subList(0, acknowledged.size())).isEqualTo(acknowledged);
  }

  /** Creates one topic and deletes another: what is refused has not happened, the rest has. */
  private static void change(BrokerProcess broker, Set<String> topics, String doomed)
      throws Exception {
    String created = "instead-of-" + doomed;
    if (isDone(() -> create(broker, created))) {
      topics.add(created);
    }
    assertThat(topics(broker)).isEqualTo(topics);
    if (isDone(() -> delete(broker, doomed))) {
      topics.remove(doomed);
    }
    assertThat(topics(broker)).isEqualTo(topics);
  }

  /** A change that a broker may refuse. */
  @FunctionalInterface
  private interface Asking {
    void ask() throws Exception;
  }

  private static boolean isDone(Asking asking) throws Exception {
    try {
      asking.ask();
      return true;
    } catch (ExecutionException refused) {
      assertThat(refused).hasCauseInstanceOf(KafkaStorageException.class);
      return false;
    }
  }

  private static Set<String> topics(BrokerProcess broker) throws Exception {
    try (Admin admin = admin(broker)) {
      return new TreeSet<>(admin.listTopics().names().get());
    }
  }

  private static Admin admin(BrokerProcess broker) {
    return Admin.create(
        Map.of(
            "bootstrap.servers",
            broker.bootstrap(),
            "default.api.timeout.ms",
            30_000,
            "request.timeout.ms",
            20_000));
  }

  private static void create(BrokerProcess broker, String topic) throws Exception {
    try (Admin admin = admin(broker)) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
  }

  private static void delete(BrokerProcess broker, String topic) throws Exception {
    try (Admin admin = admin(broker)) {
      admin.deleteTopics(List.of(topic)).all().get();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Sends numbered values of about 1 KiB, as many as fit on the disk twice, until told to stop. */
  private static final class Load implements AutoCloseable {
    private static final int MOST_UNACKNOWLEDGED = 200;
    private static final long STUCK_NANOS = 1_500_000_000L;
    private static final String FILLING = "x".repeat(1_000);

    private final KafkaProducer<String, String> producer;
    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread;
    private volatile long lastNanos = System.nanoTime();
    private volatile boolean stopped;
    private volatile Exception failure;
    private final AtomicInteger sent = new AtomicInteger();

    Load(String bootstrap) {
      producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", bootstrap, "delivery.timeout.ms", 120_000),
              new StringSerializer(),
              new StringSerializer());
      thread = new Thread(this::run, "load");
      thread.start();
    }

    private static String value(int number) {
      return number + FILLING;
    }

    List<String> values(int count) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        values.add(value(i));
      }
      return values;
    }

    private void run() {
      while (!stopped) {
        if (sent.get() - acknowledged.size() > MOST_UNACKNOWLEDGED) {
          LockSupport.parkNanos(100_000);
          continue;
        }
        String value = value(sent.get());
        producer.send(
            new ProducerRecord<>(TOPIC, value),
            (metadata, e) -> {
              if (e != null) {
                failure = e;
              } else {
                acknowledged.add(value);
                lastNanos = System.nanoTime();
              }
            });
        sent.incrementAndGet();
      }
    }

    List<String> acknowledged() {
      synchronized (acknowledged) {
        return List.copyOf(acknowledged);
      }
    }

    /** Nothing has been acknowledged for a while. */
    boolean isStuck() {
      return System.nanoTime() - lastNanos > STUCK_NANOS;
    }

    void awaitUntil(BooleanSupplier condition) throws Exception {
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (!condition.getAsBoolean()) {
        check(deadline);
        LockSupport.parkNanos(1_000_000);
      }
    }

    private void check(long deadline) throws Exception {
      if (failure != null) {
        throw failure;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within the time limit; " + acknowledged.size() + " so far");
      }
    }

    /** Ends the load; answers how many were sent, all of them acknowledged. */
    int stop() throws Exception {
      stopped = true;
      thread.join();
      producer.flush();
      check(Long.MAX_VALUE);
      return sent.get();
    }

    @Override
    public void close() {
      stopped = true;
      producer.close(Duration.ofSeconds(5));
    }
  }
}
