package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log ten times the heap: its bytes stay in the page cache and leave by sendfile. */
class LargerThanTheHeapIT {
  private static final int MEGABYTES = 640;
  private static final int RECORD_BYTES = 16 * 1024;
  private static final int RECORDS = MEGABYTES * 64;
  private static final long MOST_OWN_MEMORY_KIB = 220 * 1024;
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("(sendfile|pread64)\\(.*\\) += (\\d+)");

  @TempDir Path directory;

  @Test
  void is_written_and_read_with_64_MiB_of_heap_and_fetched_by_sendfile_alone() throws Exception {
    BrokerProcess.Options options =
        BrokerProcess.Options.of(directory.resolve("data"))
            .withJvm("-Xmx64m", "-XX:MaxDirectMemorySize=64m");
    try (BrokerProcess broker = BrokerProcess.start(options)) {
      produce(broker.bootstrap());
      Path trace = directory.resolve("trace");
      Process strace = trace(broker, trace);
      consume(broker.bootstrap());
      strace.destroy();
      assertThat(strace.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(ownMemoryKib(broker)).isLessThan(MOST_OWN_MEMORY_KIB);
      long sent = 0;
      long read = 0;
      for (String line : Files.readAllLines(trace)) {
        Matcher call = SYSTEM_CALL.matcher(line);
        if (call.find() && line.contains(".log>")) {
          sent += call.group(1).equals("sendfile") ? Long.parseLong(call.group(2)) : 0;
          read += call.group(1).equals("pread64") ? Long.parseLong(call.group(2)) : 0;
        }
      }
      assertThat(sent)
          .as("bytes of .log files that left by sendfile")
          .isGreaterThan((long) RECORDS * RECORD_BYTES);
      assertThat(read)
          .as("bytes of .log files read, to find where batches end")
          .isLessThan(sent / 100);
      assertThat(broker.stop()).isZero();
    }
  }

  private static Process trace(BrokerProcess broker, Path output) throws IOException {
    Process strace =
        new ProcessBuilder(
                List.of(
                    "strace",
                    "-f",
                    "-y",
                    "-e",
                    "trace=sendfile,pread64",
                    "-o",
                    output.toString(),
                    "-p",
                    Long.toString(broker.pid())))
            .redirectErrorStream(true)
            .start();
    // strace says "attached" once it sees every call from here on.
    strace.inputReader().readLine();
    return strace;
  }

  private static void produce(String bootstrap) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "batch.size", 512 * 1024, "linger.ms", 20);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] value = new byte[RECORD_BYTES];
        value[0] = (byte) i;
        producer.send(new ProducerRecord<>("large", value));
      }
    }
  }

  private static void consume(String bootstrap) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "enable.auto.commit",
            false,
            "max.partition.fetch.bytes",
            1 << 20);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition("large", 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      List<Integer> wrong = new ArrayList<>();
      long deadline = System.nanoTime() + Duration.ofSeconds(180).toNanos();
      int count = 0;
      while (count < RECORDS) {
        assertThat(System.nanoTime())
            .as("%d of %d records read in time", count, RECORDS)
            .isLessThan(deadline);
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          if (record.offset() != count || record.value()[0] != (byte) count) {
            wrong.add(count);
          }
          count++;
        }
      }
      assertThat(wrong).isEmpty();
    }
  }

  /** Memory of the process that is not a file's. */
  private static long ownMemoryKib(BrokerProcess broker) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + broker.pid() + "/status"))) {
      if (line.startsWith("RssAnon:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("no RssAnon in /proc/" + broker.pid() + "/status");
  }
}
