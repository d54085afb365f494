package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own tool reads the files that the broker left and finds nothing wrong with them. */
class KafkaToolsAgreeIT {
  private static final String DUMP = "org.apache.kafka.tools.DumpLogSegments";
  private static final int RECORDS_PER_CODEC = 5_000;

  @TempDir Path directory;

  @Test
  void dump_log_segments_with_index_verification_finds_nothing_in_several_segments_of_all_codecs()
      throws Exception {
    Path data = directory.resolve("data");
    try (BrokerProcess broker = BrokerProcess.start(BrokerProcess.Options.of(data))) {
      createTopic(broker.bootstrap());
      for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
        produceBackwards(broker.bootstrap(), codec);
      }
      assertThat(broker.stop()).isZero();
    }
    List<Path> logs = filesEndingWith(data.resolve("mixed-0"), ".log");
    List<Path> indexes = filesEndingWith(data.resolve("mixed-0"), "index");
    assertThat(logs).hasSizeGreaterThan(2);
    int batches = 0;
    for (Path log : logs) {
      batches +=
          (int)
              dump(List.of("--deep-iteration"), log)
                  .lines()
                  .filter(line -> line.startsWith("baseOffset: "))
                  .count();
    }
    assertThat(batches).isGreaterThan(100);
    for (Path index : indexes) {
      assertThat(dump(List.of(), index))
          .doesNotContainIgnoringCase("mismatch")
          .doesNotContainIgnoringCase("out of order")
          .doesNotContainIgnoringCase("not found")
          .doesNotContainIgnoringCase("corrupt");
    }
  }

  private String dump(List<String> options, Path file) throws Exception {
    Path output = directory.resolve(file.getFileName() + ".dump");
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of("--files", file.toString()));
    Command.java(output, DUMP, arguments.toArray(String[]::new));
    return Files.readString(output)
        + Files.readString(output.resolveSibling(output.getFileName() + ".stderr"));
  }

  private static List<Path> filesEndingWith(Path folder, String suffix) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  private static void createTopic(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      NewTopic topic =
          new NewTopic("mixed", 1, (short) 1).configs(Map.of("segment.bytes", "1048576"));
      admin.createTopics(List.of(topic)).all().get();
    }
  }

  /** An idempotent producer whose timestamps jump back and forth. */
  private static void produceBackwards(String bootstrap, String codec) {
    SplittableRandom random = new SplittableRandom(codec.hashCode());
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "compression.type", codec, "linger.ms", 5);
    long now = System.currentTimeMillis();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < RECORDS_PER_CODEC; i++) {
        String value = Long.toString(random.nextLong(), 36).repeat(1 + random.nextInt(80));
        producer.send(
            new ProducerRecord<>("mixed", 0, now - random.nextLong(86_400_000), "key " + i, value));
      }
    }
  }
}
