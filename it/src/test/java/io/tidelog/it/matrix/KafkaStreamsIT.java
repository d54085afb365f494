package io.tidelog.it.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kafka Streams counts words, is killed again and again, and counts none twice and leaves none out.
 */
class KafkaStreamsIT {
  private static final long SEED = 4;
  private static final int KILLS = 3;
  private static final int LINES_A_ROUND = 300;
  private static final int WORDS_A_LINE = 5;
  private static final int VOCABULARY = 40;
  private static final int PARTITIONS = 2;

  @TempDir Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Map<String, Integer> expected = new TreeMap<>();
  private final Map<String, List<Long>> counted = new TreeMap<>();
  private String groupProtocol;
  private Process counting;

  @ParameterizedTest
  @ValueSource(strings = {"classic", "streams"})
  void a_word_count_that_is_killed_and_restarted_counts_every_word_exactly_once(String protocol)
      throws Exception {
    groupProtocol = protocol;
    try (MatrixBroker broker = MatrixBroker.start(directory)) {
      JavaClient client = new JavaClient(broker.bootstrap(), WordCount.APPLICATION);
      client.createTopic("lines", PARTITIONS);
      client.createTopic("counts", PARTITIONS);
      count(client);
      assertThat(counted.keySet()).isEqualTo(expected.keySet());
      counted.forEach(
          (word, counts) ->
              assertThat(counts)
                  .as("seed %d: %s", SEED, word)
                  .isEqualTo(LongStream.rangeClosed(1, expected.get(word)).boxed().toList()));
      assertThat(broker.stop()).isZero();
      System.out.printf(
          "MATRIX kafka-streams %s: word count, exactly_once_v2, %s groups, %d kills: 1 row passed%n",
          AppInfoParser.getVersion(), protocol, KILLS);
    } finally {
      counting.destroyForcibly().waitFor();
    }
  }

  private void count(JavaClient client) throws Exception {
    counting = start(client);
    try (KafkaConsumer<String, Long> reader = reader(client)) {
      for (int round = 0; round <= KILLS; round++) {
        sendLines(client);
        int wanted =
            round == KILLS ? words(expected) : words(expected) - random.nextInt(LINES_A_ROUND);
        await(reader, wanted);
        if (round < KILLS) {
          counting.destroyForcibly().waitFor();
          counting = start(client);
        }
      }
    }
  }

  private static int words(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private Process start(JavaClient client) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            WordCount.class.getName(),
            client.bootstrap(),
            directory.resolve("state").toString(),
            groupProtocol)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(said().toFile()))
        .start();
  }

  private Path said() {
    return directory.resolve("word-count.log");
  }

  private void sendLines(JavaClient client) {
    try (KafkaProducer<String, String> producer = client.producer(Map.of())) {
      for (int line = 0; line < LINES_A_ROUND; line++) {
        List<String> words =
            IntStream.range(0, WORDS_A_LINE)
                .mapToObj(i -> "word" + random.nextInt(VOCABULARY))
                .toList();
        words.forEach(word -> expected.merge(word, 1, Integer::sum));
        producer.send(
            new ProducerRecord<>(
                WordCount.LINES, line % PARTITIONS, null, String.join(" ", words)));
      }
    }
  }

  private static KafkaConsumer<String, Long> reader(JavaClient client) {
    KafkaConsumer<String, Long> reader =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                client.bootstrap(),
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false),
            new StringDeserializer(),
            new LongDeserializer());
    List<TopicPartition> all =
        IntStream.range(0, PARTITIONS)
            .mapToObj(i -> new TopicPartition(WordCount.COUNTS, i))
            .toList();
    reader.assign(all);
    reader.seekToBeginning(all);
    return reader;
  }

  /** Reads until so many counts were committed. */
  private void await(KafkaConsumer<String, Long> reader, int wanted) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (counted.values().stream().mapToInt(List::size).sum() < wanted) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "not %d counts in time; the program said:%n%s".formatted(wanted, lastLines()));
      }
      for (ConsumerRecord<String, Long> record : reader.poll(Duration.ofMillis(100))) {
        counted.computeIfAbsent(record.key(), word -> new ArrayList<>()).add(record.value());
      }
    }
  }

  private String lastLines() throws Exception {
    List<String> lines = Files.readAllLines(said());
    return lines.stream().skip(Math.max(0, lines.size() - 60)).collect(Collectors.joining("\n"));
  }
}
