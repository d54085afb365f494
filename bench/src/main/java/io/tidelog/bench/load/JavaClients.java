package io.tidelog.bench.load;

import io.tidelog.bench.wire.Topic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka's Java clients with their defaults, but for what a load says. */
final class JavaClients {
  private JavaClients() {}

  static KafkaProducer<byte[], byte[]> producer(Topic topic, Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", "127.0.0.1:" + topic.port());
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A consumer of the topic's first partition, from its beginning. */
  static KafkaConsumer<byte[], byte[]> consumer(Topic topic) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", "127.0.0.1:" + topic.port()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions = List.of(new TopicPartition(topic.name(), 0));
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }
}
