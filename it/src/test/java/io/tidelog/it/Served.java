package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * All that a broker serves, as clients see it, as lines of text that can be compared.
 *
 * @param topics each topic with its id and number of partitions
 * @param configs each config that is set on a topic, a group or all brokers
 * @param offsets first, next and last stable offset of each partition, its answers to times, and
 *     the record that has the largest timestamp
 * @param records each record of each partition with all that it has
 * @param committed the same for a reader of committed records
 * @param groups each group's offsets
 */
record Served(
    Map<String, String> topics,
    Map<String, String> configs,
    Map<String, String> offsets,
    Map<String, List<String>> records,
    Map<String, List<String>> committed,
    Map<String, String> groups) {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long LIMIT_NANOS = Duration.ofSeconds(60).toNanos();
  private static final Set<ConfigEntry.ConfigSource> SET =
      Set.of(
          ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG,
          ConfigEntry.ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG,
          ConfigEntry.ConfigSource.DYNAMIC_GROUP_CONFIG);

  /**
   * Asks a broker for everything.
   *
   * @param timesMs to ask each partition for
   * @param groups whose offsets and configs are asked for
   */
  static Served by(String bootstrap, List<Long> timesMs, List<String> groups) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      Map<String, TopicDescription> topics =
          new TreeMap<>(
              admin.describeTopics(admin.listTopics().names().get()).allTopicNames().get());
      List<TopicPartition> partitions =
          topics.values().stream()
              .flatMap(
                  topic ->
                      topic.partitions().stream()
                          .map(one -> new TopicPartition(topic.name(), one.partition())))
              .toList();
      return new Served(
          new TreeMap<>(
              topics.values().stream()
                  .collect(
                      Collectors.toMap(
                          TopicDescription::name,
                          topic -> topic.topicId() + " " + topic.partitions().size()))),
          configs(admin, topics.keySet(), groups),
          offsets(bootstrap, partitions, timesMs, latest(admin, partitions)),
          records(bootstrap, partitions, "read_uncommitted"),
          records(bootstrap, partitions, "read_committed"),
          groupOffsets(admin, groups));
    }
  }

  /** Compares part by part, for failures that can be read. */
  void assertSame(Served expected) {
    assertThat(topics).isEqualTo(expected.topics);
    assertThat(configs).isEqualTo(expected.configs);
    assertThat(offsets).isEqualTo(expected.offsets);
    assertThat(records.keySet()).isEqualTo(expected.records.keySet());
    records.forEach((partition, all) -> assertThat(all).isEqualTo(expected.records.get(partition)));
    committed.forEach(
        (partition, all) -> assertThat(all).isEqualTo(expected.committed.get(partition)));
    assertThat(groups).isEqualTo(expected.groups);
  }

  private static Map<String, String> configs(
      Admin admin, Collection<String> topics, List<String> groups) throws Exception {
    List<ConfigResource> resources = new ArrayList<>();
    topics.forEach(topic -> resources.add(new ConfigResource(ConfigResource.Type.TOPIC, topic)));
    groups.forEach(group -> resources.add(new ConfigResource(ConfigResource.Type.GROUP, group)));
    resources.add(new ConfigResource(ConfigResource.Type.BROKER, ""));
    Map<String, String> configs = new TreeMap<>();
    admin
        .describeConfigs(resources)
        .all()
        .get()
        .forEach(
            (resource, all) ->
                all.entries().stream()
                    .filter(entry -> SET.contains(entry.source()))
                    .filter(entry -> isOwn(resource, entry))
                    .forEach(entry -> configs.put(resource + " " + entry.name(), entry.value())));
    return configs;
  }

  /** A topic's answer also has what is set on all brokers. */
  private static boolean isOwn(ConfigResource resource, ConfigEntry entry) {
    return resource.type() != ConfigResource.Type.TOPIC
        || entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG;
  }

  private static Map<TopicPartition, ListOffsetsResultInfo> latest(
      Admin admin, List<TopicPartition> partitions) throws Exception {
    return admin
        .listOffsets(
            partitions.stream()
                .filter(one -> !one.topic().startsWith("__"))
                .collect(Collectors.toMap(one -> one, one -> OffsetSpec.maxTimestamp())))
        .all()
        .get();
  }

  private static Map<String, String> offsets(
      String bootstrap,
      List<TopicPartition> partitions,
      List<Long> timesMs,
      Map<TopicPartition, ListOffsetsResultInfo> latest) {
    Map<String, String> offsets = new TreeMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap, "read_committed")) {
      consumer
          .endOffsets(partitions)
          .forEach((one, stable) -> offsets.put(one + " stable", "to " + stable));
    }
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap, "read_uncommitted")) {
      Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
      Map<TopicPartition, Long> next = consumer.endOffsets(partitions);
      partitions.forEach(
          one -> offsets.put(one.toString(), first.get(one) + " to " + next.get(one)));
      latest.forEach(
          (one, last) -> {
            if (first.get(one) == 0) { // else Kafka may name a record that was deleted
              offsets.put(one + " latest", last.offset() + " at " + last.timestamp());
            }
          });
      for (long timeMs : timesMs) {
        Map<TopicPartition, Long> wanted =
            partitions.stream().collect(Collectors.toMap(one -> one, one -> timeMs));
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(wanted);
        partitions.forEach(
            one -> offsets.put(one + " at " + timeMs, String.valueOf(found.get(one))));
      }
    }
    return offsets;
  }

  private static Map<String, List<String>> records(
      String bootstrap, List<TopicPartition> partitions, String isolation) {
    Map<String, List<String>> records = new TreeMap<>();
    List<TopicPartition> ofUsers =
        partitions.stream().filter(one -> !one.topic().startsWith("__")).toList();
    ofUsers.forEach(one -> records.put(one.toString(), new ArrayList<>()));
    long deadline = System.nanoTime() + LIMIT_NANOS;
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrap, isolation)) {
      consumer.assign(ofUsers);
      consumer.seekToBeginning(ofUsers);
      Map<TopicPartition, Long> ends = consumer.endOffsets(ofUsers);
      while (ofUsers.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
        if (System.nanoTime() > deadline) {
          throw new AssertionError("not all records were read within the time limit");
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          records.get(record.topic() + "-" + record.partition()).add(line(record));
        }
      }
    }
    return records;
  }

  private static String line(ConsumerRecord<byte[], byte[]> record) {
    StringBuilder headers = new StringBuilder();
    record
        .headers()
        .forEach(
            header ->
                headers.append(header.key()).append('=').append(text(header.value())).append(' '));
    return "%d %s %d epoch %d key %s value %s headers %s"
        .formatted(
            record.offset(),
            record.timestampType(),
            record.timestamp(),
            record.leaderEpoch().orElse(-1),
            text(record.key()),
            text(record.value()),
            headers);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String bootstrap, String isolation) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("enable.auto.commit", false);
    settings.put("isolation.level", isolation);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static Map<String, String> groupOffsets(Admin admin, List<String> groups)
      throws Exception {
    Map<String, String> offsets = new TreeMap<>();
    for (String group : groups) {
      admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .forEach(
              (partition, committed) ->
                  offsets.put(
                      group + " " + partition,
                      committed.offset()
                          + " "
                          + committed.leaderEpoch().map(String::valueOf).orElse("-")
                          + " "
                          + committed.metadata()));
    }
    return offsets;
  }
}
