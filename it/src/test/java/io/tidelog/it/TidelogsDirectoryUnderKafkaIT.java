package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that Kafka has never seen, two of them, are served by Kafka and come back. */
class TidelogsDirectoryUnderKafkaIT {
  private static final List<String> GROUPS = List.of("readers");

  @TempDir Path directory;

  @Test
  void kafka_serves_what_tidelog_began() throws Exception {
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    String both = first + "," + second;
    Served left;
    try (BrokerProcess tidelog = tidelog(first, both)) {
      fill(tidelog.bootstrap());
      left = served(tidelog.bootstrap());
      assertThat(tidelog.stop()).isZero();
    }
    assertThat(Files.isDirectory(first.resolve("__cluster_metadata-0"))).isTrue();
    assertThat(second.resolve("meta.properties")).exists();

    Map<String, String> settings = new HashMap<>(KafkaProcess.quick());
    settings.put("log.dirs", both);
    try (KafkaProcess kafka = KafkaProcess.start(first, settings)) {
      served(kafka.bootstrap()).assertSame(left);
      JavaClients.produce(kafka.bootstrap(), "spread", List.of("by kafka"));
      left = served(kafka.bootstrap());
      kafka.stop();
    }

    try (BrokerProcess tidelog = tidelog(first, both)) {
      served(tidelog.bootstrap()).assertSame(left);
      assertThat(tidelog.stop()).isZero();
    }
  }

  private static BrokerProcess tidelog(Path data, String directories) throws Exception {
    return BrokerProcess.start(
        BrokerProcess.Options.of(data)
            .with(
                "log.dirs=" + directories,
                "group.initial.rebalance.delay.ms=0",
                "offsets.topic.num.partitions=3"));
  }

  private static Served served(String bootstrap) throws Exception {
    return Served.by(bootstrap, List.of(0L), GROUPS);
  }

  private static void fill(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin.createTopics(List.of(new NewTopic("spread", 6, (short) 1))).all().get();
    }
    JavaClients.produce(bootstrap, "spread", Collections.nCopies(100, "a value"));
    try (KafkaConsumer<String, String> consumer =
        JavaClients.consumer(bootstrap, Map.of("group.id", "readers"))) {
      consumer.subscribe(List.of("spread"));
      int read = 0;
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (read < 100 && System.nanoTime() < deadline) {
        read += consumer.poll(Duration.ofMillis(200)).count();
      }
      assertThat(read).isEqualTo(100);
      consumer.commitSync();
    }
  }
}
