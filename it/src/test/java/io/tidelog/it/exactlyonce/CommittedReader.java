package io.tidelog.it.exactlyonce;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads the output all the time, as one that sees only what is committed. */
final class CommittedReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<String, String> consumer;
  private final List<List<String>> values;
  private final Thread thread = new Thread(this::run, "reader");
  private final AtomicInteger count = new AtomicInteger();
  private volatile boolean stopped;
  private volatile RuntimeException failure;

  private CommittedReader(KafkaConsumer<String, String> consumer, int partitions) {
    this.consumer = consumer;
    this.values = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      values.add(new CopyOnWriteArrayList<>());
    }
  }

  static CommittedReader start(String bootstrap, int partitions) {
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "none"),
            new StringDeserializer(),
            new StringDeserializer());
    List<TopicPartition> all =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(LoopWorker.OUTPUT, partition))
            .toList();
    consumer.assign(all);
    all.forEach(partition -> consumer.seek(partition, 0));
    CommittedReader reader = new CommittedReader(consumer, partitions);
    reader.thread.start();
    return reader;
  }

  private void run() {
    try (consumer) {
      while (!stopped) {
        for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
          values.get(record.partition()).add(record.value());
          count.incrementAndGet();
        }
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  /** How many records it has read. */
  int count() {
    if (failure != null) {
      throw failure;
    }
    return count.get();
  }

  /** What it has read of each partition. */
  List<List<String>> values() {
    return values;
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
