package io.tidelog.it;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/** Transactions that one broker ends, and one that the next broker has to. */
final class Transactions {
  private Transactions() {}

  /** A transaction that counts, with a group's offset, and one that does not. */
  static void endTwo(String bootstrap) throws Exception {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "transactional.id", "teller");
    try (KafkaProducer<String, String> producer =
            new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        KafkaConsumer<String, String> member =
            JavaClients.consumer(bootstrap, Map.of("group.id", "transacting"))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("transacted", "aborted"));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("transacted", "committed"));
      producer.sendOffsetsToTransaction(
          Map.of(new TopicPartition("codecs", 0), new OffsetAndMetadata(4)),
          member.groupMetadata());
      producer.commitTransaction();
    }
  }

  /**
   * Aborts what the call before this one left open, and leaves another one open: its producer is
   * gone, and its time is not up.
   */
  static void leaveOneOpen(String bootstrap) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "transactional.id",
            "sleeper",
            "transaction.timeout.ms",
            600_000);
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("open", "left open"));
    producer.flush();
    producer.close(Duration.ZERO);
  }
}
