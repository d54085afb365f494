package io.tidelog.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** Has a broker write files of all kinds. */
final class KafkaAtWork {
  /** Records of each topic that is as simple as can be; each is a batch. */
  static final int RECORDS = 40;

  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
  private static final int MEBIBYTE = 1 << 20;

  private final String bootstrap;
  private final Path data;

  KafkaAtWork(String bootstrap, Path data) {
    this.bootstrap = bootstrap;
    this.data = data;
  }

  /** Creates and fills simple topics, and others with all that Kafka does. */
  void fill(List<String> simple) throws Exception {
    List<NewTopic> topics = new ArrayList<>();
    simple.forEach(name -> topics.add(topic(name, Map.of())));
    topics.add(new NewTopic("codecs", CODECS.size(), (short) 1));
    topics.add(topic("transacted", Map.of()));
    topics.add(topic("open", Map.of()));
    topics.add(
        topic("shrinking", Map.of("segment.bytes", "" + MEBIBYTE, "retention.bytes", "2500000")));
    topics.add(
        topic(
            "compacted",
            Map.of(
                "cleanup.policy", "compact",
                "segment.ms", "1",
                "min.cleanable.dirty.ratio", "0.001")));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin.createTopics(topics).all().get();
    }
    for (String name : simple) {
      send(name, RECORDS);
    }
    for (String codec : CODECS) {
      packed(codec);
    }
    Transactions.endTwo(bootstrap);
    Transactions.leaveOneOpen(bootstrap);
    shrink();
    compact();
    JavaClients.valuesByGroup(bootstrap, "codecs", "readers", 30);
  }

  private static NewTopic topic(String name, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("index.interval.bytes", "200");
    return new NewTopic(name, 1, (short) 1).configs(all);
  }

  /** Sends records to a topic, each of which becomes a batch. */
  void send(String topic, int count) throws Exception {
    try (KafkaProducer<String, String> producer = JavaClients.producer(bootstrap)) {
      for (int i = 0; i < count; i++) {
        producer.send(new ProducerRecord<>(topic, 0, "key " + i, "value " + i)).get();
      }
    }
  }

  private void packed(String codec) throws Exception {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "compression.type", codec, "linger.ms", 50);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int partition = CODECS.indexOf(codec);
        sent.add(producer.send(new ProducerRecord<>("codecs", partition, "key " + i, "value")));
      }
      for (Future<?> one : sent) {
        one.get();
      }
    }
  }

  /** Several segments, of which retention removes the first. */
  private void shrink() throws Exception {
    byte[] value = new byte[1000];
    Random random = new Random(1);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "linger.ms", 20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < 5 * MEBIBYTE / value.length; i++) {
        random.nextBytes(value);
        producer.send(new ProducerRecord<>("shrinking", value.clone()));
      }
    }
    Path first = data.resolve("shrinking-0/00000000000000000000.log");
    Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> !Files.exists(first));
  }

  /** Overwrites keys until Kafka has compacted the topic. */
  private void compact() throws Exception {
    for (int round = 0; round < 4; round++) {
      send("compacted", 10);
    }
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> checkpointed("cleaner-offset-checkpoint").anyMatch("compacted 0 39"::equals));
  }

  private Stream<String> checkpointed(String name) throws Exception {
    Path file = data.resolve(name);
    return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.of();
  }
}
