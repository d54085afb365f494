package io.tidelog.it.matrix;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** What only later releases can do: loaded when it is asked for. */
final class JavaNewerAdminRows {
  private JavaNewerAdminRows() {}

  /** Since 1.0. */
  static void partitions(JavaClient client) throws Exception {
    String topic = client.createTopic("partitions", 2);
    try (AdminClient admin = client.admin()) {
      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(5))).all().get();
      JavaClient.checkEqual(JavaClient.describe(admin, topic).partitions().size(), 5);
    }
    try (KafkaProducer<String, String> producer = client.producer(Map.of())) {
      JavaClient.checkEqual(
          producer.send(new ProducerRecord<>(topic, 4, "k", "v")).get().offset(), 0L);
    }
  }

  /** Since 1.1. */
  static void deleteRecords(JavaClient client) throws Exception {
    TopicPartition partition = new TopicPartition(client.createTopic("delete-records", 1), 0);
    try (KafkaProducer<String, String> producer = client.producer(Map.of())) {
      for (int i = 0; i < 10; i++) {
        producer.send(new ProducerRecord<>(partition.topic(), Integer.toString(i)));
      }
      producer.flush();
    }
    try (AdminClient admin = client.admin();
        KafkaConsumer<String, String> consumer = client.consumer(Map.of())) {
      JavaClient.checkEqual(
          admin
              .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(4)))
              .lowWatermarks()
              .get(partition)
              .get()
              .lowWatermark(),
          4L);
      JavaClient.checkEqual(consumer.beginningOffsets(List.of(partition)).get(partition), 4L);
      JavaClient.checkEqual(consumer.endOffsets(List.of(partition)).get(partition), 10L);
    }
  }

  /** Since 2.3. */
  static void alter(AdminClient admin, String topic, ConfigEntry entry) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    admin
        .incrementalAlterConfigs(
            Map.of(resource, List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }
}
