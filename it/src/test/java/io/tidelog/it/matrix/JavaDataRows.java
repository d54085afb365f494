package io.tidelog.it.matrix;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Records in and out. */
final class JavaDataRows {
  private final JavaClient client;
  private final List<ScriptRecord> script;

  JavaDataRows(JavaClient client, List<ScriptRecord> script) {
    this.client = client;
    this.script = script;
  }

  void produce(String codec) throws Exception {
    String topic = client.createTopic(codec, 1);
    send(topic, Map.of("compression.type", codec, "linger.ms", 20), script);
    JavaClient.checkEqual(read(topic, script.size()), script);
  }

  /** A value and its tombstone in a topic that only keeps the latest. */
  void tombstones() throws Exception {
    String topic = client.createTopic("tombstones", 1);
    long now = script.get(0).timestampMs();
    List<ScriptRecord> records =
        List.of(
            new ScriptRecord(now, "k", "v", Map.of()),
            new ScriptRecord(now + 1, "k", null, Map.of()));
    send(topic, Map.of(), records);
    JavaClient.checkEqual(read(topic, 2), records);
  }

  void seekByTime() throws Exception {
    TopicPartition partition = new TopicPartition(client.createTopic("time", 1), 0);
    send(partition.topic(), Map.of("batch.size", 200), script);
    try (KafkaConsumer<String, String> consumer = client.consumer(Map.of())) {
      for (int at : new int[] {0, 17, script.size() - 1}) {
        long time = script.get(at).timestampMs();
        OffsetAndTimestamp found =
            consumer.offsetsForTimes(Map.of(partition, time - 500)).get(partition);
        JavaClient.checkEqual(found.offset(), (long) at);
        JavaClient.checkEqual(found.timestamp(), time);
      }
      long after = script.get(script.size() - 1).timestampMs() + 1;
      Map<TopicPartition, OffsetAndTimestamp> none =
          consumer.offsetsForTimes(Map.of(partition, after));
      JavaClient.check(none.get(partition) == null, "none is later", none);
      consumer.assign(List.of(partition));
      consumer.seek(partition, 17);
      List<ScriptRecord> read = new ArrayList<>();
      JavaClient.pollInto(read, script.size() - 17, () -> scriptRecords(consumer));
      JavaClient.checkEqual(read, script.subList(17, script.size()));
    }
  }

  private void send(String topic, Map<String, Object> settings, List<ScriptRecord> records)
      throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<String, String> producer = client.producer(settings)) {
      for (ScriptRecord record : records) {
        List<Header> headers = new ArrayList<>();
        record
            .headers()
            .forEach(
                (name, text) ->
                    headers.add(new RecordHeader(name, text.getBytes(StandardCharsets.UTF_8))));
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    topic, 0, record.timestampMs(), record.key(), record.value(), headers)));
      }
      producer.flush();
    }
    for (int i = 0; i < sent.size(); i++) {
      JavaClient.checkEqual(sent.get(i).get().offset(), (long) i);
    }
  }

  private List<ScriptRecord> read(String topic, int count) {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<ScriptRecord> read = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer = client.consumer(Map.of())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      JavaClient.pollInto(read, count, () -> scriptRecords(consumer));
    }
    return read;
  }

  private static List<ScriptRecord> scriptRecords(KafkaConsumer<String, String> consumer) {
    List<ScriptRecord> records = new ArrayList<>();
    for (ConsumerRecord<String, String> record : JavaClient.poll(consumer)) {
      Map<String, String> headers = new LinkedHashMap<>();
      for (Header header : record.headers()) {
        headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
      }
      records.add(new ScriptRecord(record.timestamp(), record.key(), record.value(), headers));
    }
    return records;
  }
}
