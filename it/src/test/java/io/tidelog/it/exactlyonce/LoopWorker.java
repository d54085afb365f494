package io.tidelog.it.exactlyonce;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A program that copies records from one topic to another, in transactions that carry the offsets
 * too; some it aborts on purpose. Whatever fails, it begins again from what is committed.
 * Arguments: the broker, the worker's name, a seed, and the group protocol (classic or consumer).
 * It runs until it is killed or told to end.
 */
public final class LoopWorker {
  static final String INPUT = "input";
  static final String OUTPUT = "output";
  private static final String GROUP = "loop";
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int ABORTED_PERCENT = 10;

  private final String bootstrap;
  private final String name;
  private final SplittableRandom random;
  private final String protocol;
  private volatile boolean stopping;

  private LoopWorker(String... args) {
    bootstrap = args[0];
    name = args[1];
    random = new SplittableRandom(Long.parseLong(args[2]));
    protocol = args[3];
  }

  /** Works until the process ends. */
  public static void main(String[] args) throws Exception {
    LoopWorker worker = new LoopWorker(args);
    Thread work = new Thread(worker::run, "work");
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  worker.stopping = true;
                  joined(work);
                }));
    work.start();
    work.join();
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!stopping) {
      try (KafkaProducer<String, String> producer = producer();
          KafkaConsumer<String, String> consumer = consumer()) {
        producer.initTransactions();
        consumer.subscribe(List.of(INPUT));
        while (!stopping) {
          ConsumerRecords<String, String> records = consumer.poll(POLL);
          if (!records.isEmpty()) {
            copy(records, consumer, producer);
          }
        }
      } catch (KafkaException e) {
        System.err.println(name + " begins again after " + e);
      }
    }
  }

  private void copy(
      ConsumerRecords<String, String> records,
      KafkaConsumer<String, String> consumer,
      KafkaProducer<String, String> producer) {
    producer.beginTransaction();
    for (ConsumerRecord<String, String> record : records) {
      producer.send(new ProducerRecord<>(OUTPUT, record.partition(), null, record.value()));
    }
    if (random.nextInt(100) < ABORTED_PERCENT) {
      producer.flush();
      producer.abortTransaction();
      throw new KafkaException("an abort on purpose");
    }
    Map<TopicPartition, OffsetAndMetadata> next = records.nextOffsets();
    producer.sendOffsetsToTransaction(next, consumer.groupMetadata());
    producer.commitTransaction();
  }

  private KafkaProducer<String, String> producer() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("transactional.id", name);
    settings.put("transaction.timeout.ms", 5_000);
    settings.put("max.block.ms", 20_000);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private KafkaConsumer<String, String> consumer() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("group.id", GROUP);
    settings.put("enable.auto.commit", false);
    settings.put("auto.offset.reset", "earliest");
    settings.put("isolation.level", "read_committed");
    settings.put("max.poll.records", 20 + random.nextInt(200));
    settings.put("group.protocol", protocol);
    if (protocol.equals("classic")) {
      settings.put("session.timeout.ms", 1_500);
      settings.put("heartbeat.interval.ms", 200);
    }
    return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
  }
}
