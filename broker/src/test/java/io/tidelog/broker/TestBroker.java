package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.PartitionLog;
import io.tidelog.net.RawClient;
import io.tidelog.store.Surroundings;
import io.tidelog.store.ThreadScheduler;
import io.tidelog.topic.CreatedTopic;
import io.tidelog.topic.NewTopic;
import io.tidelog.topic.Outcome;
import io.tidelog.topic.Topic;
import io.tidelog.topic.TopicAdmin.Intent;
import io.tidelog.topic.Topics;
import io.tidelog.verify.FindingKind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A broker on a free port, with its topics within a test's reach. */
final class TestBroker implements Closeable {
  private static final int PATIENCE_S = 20;

  private final Broker broker;
  private final Disk disk;
  private final List<Path> directories;
  private boolean isHarmed;
  private FindingKind[] left = {};

  private TestBroker(Broker broker, Disk disk, List<Path> directories) {
    this.broker = broker;
    this.disk = disk;
    this.directories = directories;
  }

  static TestBroker start(Path directory) throws IOException {
    return start(BrokerSettings.embedded(directory));
  }

  static TestBroker start(BrokerSettings settings) throws IOException {
    return new TestBroker(Broker.start(settings), new NioDisk(), settings.dataDirectories());
  }

  /** A broker over a disk of the test's. */
  static TestBroker start(BrokerSettings settings, Disk disk) throws IOException {
    Surroundings around =
        new Surroundings(
            disk,
            InstantSource.system(),
            new SplittableRandom(),
            ThreadScheduler.start(3, (sentence, cause) -> {}),
            (kind, sentence) -> {});
    return start(settings, around);
  }

  /** A broker with everything passed in. */
  static TestBroker start(BrokerSettings settings, Surroundings around) throws IOException {
    return new TestBroker(
        Broker.start(settings, around), around.disk(), settings.dataDirectories());
  }

  /** There is harm on its disk: nothing is claimed about what it leaves. */
  TestBroker harmed() {
    isHarmed = true;
    return this;
  }

  /** What verify finds in what it leaves is of these kinds. */
  TestBroker leaving(FindingKind... kinds) {
    left = kinds.clone();
    return this;
  }

  Broker broker() {
    return broker;
  }

  Topics topics() {
    return broker.topics();
  }

  /** Creates a topic with one partition. */
  Topic create(String name) {
    return create(name, 1, Map.of());
  }

  Topic create(String name, int partitions, Map<String, String> configs) {
    NewTopic wish = NewTopic.named(name).withPartitions(partitions).withConfigs(configs);
    Outcome<CreatedTopic> outcome =
        await(topics().admin().create(List.of(wish), Intent.CARRY_OUT)).get(0);
    if (outcome.isRefused()) {
      throw outcome.error();
    }
    return topics().find(name).orElseThrow();
  }

  void delete(Topic topic) {
    await(topics().admin().delete(List.of(topic.id())));
  }

  PartitionLog log(Topic topic, int partition) {
    return topic.partition(partition).orElseThrow().log();
  }

  RawClient connect() throws IOException {
    return RawClient.connect(broker.address());
  }

  /** A client for the APIs of records, at their newest versions. */
  DataClient dataClient() throws IOException {
    return new DataClient(connect());
  }

  /** Threads that are ours by name; those of a test's own tools come and go. */
  static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tidelog"))
        .filter(Thread::isAlive)
        .collect(Collectors.toSet());
  }

  /** That none is left; one that its pool no longer counts may be on its last instructions. */
  static void requireNoThreadButThose(Set<Thread> before) {
    Set<Thread> left = threads();
    left.removeAll(before);
    try {
      for (Thread ending : left) {
        ending.join(10_000);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(left).noneMatch(Thread::isAlive);
  }

  static <T> T await(java.util.concurrent.CompletableFuture<T> future) {
    return future.orTimeout(PATIENCE_S, TimeUnit.SECONDS).join();
  }

  /** Stops it; in what it leaves verify finds nothing but what the test said. */
  @Override
  public void close() throws IOException {
    broker.close();
    if (!isHarmed) {
      SoundDirectories.require(disk, directories, left);
    }
  }
}
