package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.RecordBatch;
import io.tidelog.topic.Topic;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A damaged batch in the middle of a partition: clients hear of it, and can read on after it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DamagedPartitionTest extends WithBroker {
  private static final int RECORDS = 9;
  private static final int DAMAGED = 4;

  private static final TopicPartition DAMAGED_PARTITION = new TopicPartition("orders", 0);
  private static final TopicPartition SOUND_PARTITION = new TopicPartition("orders", 1);

  /** One batch for each record, in two partitions; then one byte of a value is changed. */
  private Topic damaged() throws Exception {
    broker.create("orders", 2, Map.of());
    produce(0, RECORDS);
    stop();
    Path log = directory.resolve("orders-0").resolve("00000000000000000000.log");
    byte[] bytes = Files.readAllBytes(log);
    int at = 0;
    for (int i = 0; i < DAMAGED; i++) {
      at += RecordBatch.at(ByteBuffer.wrap(bytes), at).sizeBytes();
    }
    bytes[at + RecordBatch.HEADER_BYTES + 7] ^= 4;
    Files.write(log, bytes);
    start();
    broker.leaving(FindingKind.BATCH_DAMAGED);
    return broker.topics().find("orders").orElseThrow();
  }

  private void produce(int from, int to) throws Exception {
    try (Producer<String, String> producer =
        new KafkaProducer<>(servers(), new StringSerializer(), new StringSerializer())) {
      for (int i = from; i < to; i++) {
        for (int partition = 0; partition < 2; partition++) {
          producer.send(new ProducerRecord<>("orders", partition, null, "value " + i)).get();
        }
      }
    }
  }

  private Map<String, Object> servers() {
    return Map.of("bootstrap.servers", "127.0.0.1:" + broker.broker().address().getPort());
  }

  @Test
  void a_fetch_there_is_told_so_and_the_next_one_after_it_gets_the_rest() throws Exception {
    Topic topic = damaged();
    PartitionData before = client.fetch(topic, 0, 0);
    assertThat(before.errorCode()).isEqualTo(Errors.NONE.code());
    assertThat(lastOffset(before)).isEqualTo(DAMAGED - 1);
    PartitionData there = client.fetch(topic, 0, DAMAGED);
    assertThat(Errors.forCode(there.errorCode())).isEqualTo(Errors.CORRUPT_MESSAGE);
    PartitionData after = client.fetch(topic, 0, DAMAGED + 1);
    assertThat(after.errorCode()).isEqualTo(Errors.NONE.code());
    assertThat(lastOffset(after)).isEqualTo(RECORDS - 1);
    assertThat(lastOffset(client.fetch(topic, 1, 0))).isEqualTo(RECORDS - 1);
  }

  private static long lastOffset(PartitionData data) {
    long last = -1;
    for (var batch : ((org.apache.kafka.common.record.internal.Records) data.records()).batches()) {
      batch.ensureValid();
      last = batch.lastOffset();
    }
    return last;
  }

  @Test
  void kafkas_consumer_reads_on_where_it_is_told_to() throws Exception {
    damaged();
    produce(RECORDS, RECORDS + 1);
    try (Consumer<String, String> consumer =
        new KafkaConsumer<>(servers(), new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(DAMAGED_PARTITION));
      consumer.seek(DAMAGED_PARTITION, 0);
      List<String> values = new ArrayList<>();
      assertThatThrownBy(() -> poll(consumer, values, Integer.MAX_VALUE))
          .isInstanceOf(KafkaException.class);
      assertThat(values).containsExactly("value 0", "value 1", "value 2", "value 3");
      assertThat(consumer.position(DAMAGED_PARTITION)).isEqualTo(DAMAGED);
      consumer.seek(DAMAGED_PARTITION, DAMAGED + 1);
      poll(consumer, values, RECORDS);
      assertThat(values.subList(DAMAGED, RECORDS))
          .containsExactly("value 5", "value 6", "value 7", "value 8", "value 9");
      consumer.assign(List.of(SOUND_PARTITION));
      consumer.seek(SOUND_PARTITION, 0);
      List<String> others = new ArrayList<>();
      poll(consumer, others, RECORDS + 1);
      assertThat(others).hasSize(RECORDS + 1);
    }
  }

  private static void poll(Consumer<String, String> consumer, List<String> values, int count)
      throws IOException {
    while (values.size() < count) {
      for (ConsumerRecord<String, String> entry : consumer.poll(Duration.ofSeconds(1))) {
        values.add(entry.value());
      }
    }
  }
}
