package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.topic.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker can be started and stopped again and again, and many live side by side. */
class BrokerLifeTest {
  @TempDir Path directory;

  @Test
  void what_was_written_is_there_after_a_restart() throws IOException {
    for (int life = 0; life < 5; life++) {
      try (TestBroker broker = TestBroker.start(directory);
          DataClient client = broker.dataClient()) {
        Topic topic = broker.topics().find("kept").orElseGet(() -> broker.create("kept"));
        assertThat(client.produce(topic, 0, Batches.of("life " + life)).baseOffset())
            .isEqualTo(life);
        assertThat(Batches.values(client.fetch(topic, 0, 0)))
            .hasSize(life + 1)
            .startsWith("life 0")
            .endsWith("life " + life);
      }
    }
  }

  @Test
  void identity_stays_and_producer_ids_are_never_given_twice() throws IOException {
    Set<String> clusterIds = new java.util.HashSet<>();
    List<Long> producerIds = new ArrayList<>();
    for (int life = 0; life < 3; life++) {
      try (TestBroker broker = TestBroker.start(directory)) {
        clusterIds.add(broker.broker().clusterId());
        for (int i = 0; i < 1_500; i++) {
          producerIds.add(TestBroker.await(broker.topics().nextProducerId()));
        }
      }
    }
    assertThat(clusterIds).hasSize(1);
    assertThat(producerIds).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void brokers_live_side_by_side() throws IOException {
    List<TestBroker> brokers = new ArrayList<>();
    try {
      for (int i = 0; i < 5; i++) {
        brokers.add(TestBroker.start(directory.resolve("broker" + i)));
      }
      for (int i = 0; i < 5; i++) {
        TestBroker broker = brokers.get(i);
        Topic topic = broker.create("topic");
        try (DataClient client = broker.dataClient()) {
          client.produce(topic, 0, Batches.of("of broker " + i));
          assertThat(Batches.values(client.fetch(topic, 0, 0))).containsExactly("of broker " + i);
        }
      }
      assertThat(brokers.stream().map(broker -> broker.broker().port()).distinct()).hasSize(5);
    } finally {
      for (TestBroker broker : brokers) {
        broker.close();
      }
    }
  }

  @Test
  void no_thread_is_left_after_close() throws Exception {
    runOnce();
    Set<Thread> before = TestBroker.threads();
    for (int life = 0; life < 3; life++) {
      runOnce();
    }
    TestBroker.requireNoThreadButThose(before);
  }

  private void runOnce() throws IOException {
    try (TestBroker broker = TestBroker.start(directory);
        DataClient client = broker.dataClient()) {
      Topic topic = broker.topics().find("t").orElseGet(() -> broker.create("t"));
      client.produce(topic, 0, Batches.of("a"));
      TestBroker.await(broker.topics().findOrCreate("__consumer_offsets"));
    }
  }

  @Test
  void closing_twice_is_closing_once() throws IOException {
    TestBroker broker = TestBroker.start(directory);
    broker.close();
    broker.close();
    assertThat(directory.resolve(".kafka_cleanshutdown")).exists();
  }

  @Test
  void several_data_directories_share_the_partitions() throws IOException {
    Path first = directory.resolve("a");
    Path second = directory.resolve("b");
    BrokerSettings settings =
        BrokerSettings.embedded(directory).with("log.dirs", first + "," + second);
    try (TestBroker broker = TestBroker.start(settings)) {
      broker.create("spread", 6, java.util.Map.of());
    }
    assertThat(folders(first)).isBetween(2L, 5L);
    assertThat(folders(second)).isBetween(2L, 5L);
    try (TestBroker broker = TestBroker.start(settings)) {
      assertThat(broker.topics().find("spread").orElseThrow().partitionCount()).isEqualTo(6);
    }
  }

  private static long folders(Path dataDirectory) throws IOException {
    try (var names = Files.list(dataDirectory)) {
      return names.filter(path -> path.getFileName().toString().startsWith("spread-")).count();
    }
  }

  @Test
  void two_listeners_serve_the_same_topics() throws IOException {
    BrokerSettings settings =
        BrokerSettings.embedded(directory)
            .with("listener.security.protocol.map", "INSIDE:PLAINTEXT,OUTSIDE:PLAINTEXT")
            .with("listeners", "INSIDE://127.0.0.1:0,OUTSIDE://127.0.0.1:0");
    try (TestBroker broker = TestBroker.start(settings)) {
      assertThat(broker.broker().addresses()).hasSize(2);
      Topic topic = broker.create("shared");
      try (DataClient inside = broker.dataClient();
          DataClient outside =
              new DataClient(
                  io.tidelog.net.RawClient.connect(broker.broker().addresses().get(1)))) {
        inside.produce(topic, 0, Batches.of("a"));
        assertThat(Batches.values(outside.fetch(topic, 0, 0))).containsExactly("a");
      }
    }
  }
}
