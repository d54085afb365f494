package io.tidelog.topic;

import io.tidelog.log.LogSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The server's settings that topics depend on, under Kafka's names and with Kafka's defaults.
 *
 * @param explicit every setting that somebody set at start, by name
 */
public record ServerSettings(Map<String, String> explicit) {
  /**
   * The default of transaction.state.log.min.isr. Kafka's is 2, which no topic on one node can
   * have.
   */
  public static final int TRANSACTIONS_MIN_ISR = 1;

  public ServerSettings {
    explicit = Map.copyOf(explicit);
  }

  /** num.partitions: partitions of a topic whose creator does not say. */
  public int partitions() {
    return number("num.partitions", 1);
  }

  /** auto.create.topics.enable: whether asking for a topic creates it. */
  public boolean createsTopicsOnDemand() {
    return Boolean.parseBoolean(explicit.getOrDefault("auto.create.topics.enable", "true").trim());
  }

  /** delete.topic.enable: whether topics may be deleted at all. */
  public boolean deletesTopics() {
    return Boolean.parseBoolean(explicit.getOrDefault("delete.topic.enable", "true").trim());
  }

  /** offsets.topic.num.partitions: partitions of the topic that holds the groups. */
  public int offsetsTopicPartitions() {
    return number("offsets.topic.num.partitions", 50);
  }

  /** The configs that the topic that holds the groups is created with. */
  public Map<String, String> offsetsTopicConfigs() {
    Map<String, String> configs = new HashMap<>();
    configs.put("cleanup.policy", "compact");
    configs.put("compression.type", "producer");
    configs.put(
        "segment.bytes", Integer.toString(number("offsets.topic.segment.bytes", 100 << 20)));
    return configs;
  }

  /** transaction.state.log.num.partitions: partitions of the topic that holds transactions. */
  public int transactionsTopicPartitions() {
    return number("transaction.state.log.num.partitions", 50);
  }

  /** The configs that the topic that holds transactions is created with. */
  public Map<String, String> transactionsTopicConfigs() {
    Map<String, String> configs = new HashMap<>();
    configs.put("cleanup.policy", "compact");
    configs.put("compression.type", "uncompressed");
    configs.put("unclean.leader.election.enable", "false");
    configs.put(
        "min.insync.replicas",
        Integer.toString(number("transaction.state.log.min.isr", TRANSACTIONS_MIN_ISR)));
    configs.put(
        "segment.bytes",
        Integer.toString(number("transaction.state.log.segment.bytes", 100 << 20)));
    return configs;
  }

  /**
   * How the metadata log is kept: metadata.log.segment.bytes, metadata.log.segment.ms. Its records
   * mean nothing without those before them.
   */
  LogSettings metadataLog() {
    return LogSettings.of(
            Map.of(
                "retention.ms",
                "-1",
                "retention.bytes",
                "-1",
                "segment.bytes",
                Integer.toString(number("metadata.log.segment.bytes", 1 << 30)),
                "segment.ms",
                Long.toString(longNumber("metadata.log.segment.ms", TimeUnit.DAYS.toMillis(7)))))
        .endingAtDamage();
  }

  /** metadata.log.max.record.bytes.between.snapshots: after this much a snapshot is due. */
  long metadataSnapshotBytes() {
    return longNumber("metadata.log.max.record.bytes.between.snapshots", 20 << 20);
  }

  /** metadata.log.max.snapshot.interval.ms: so long after the last one a snapshot is due; or 0. */
  long metadataSnapshotIntervalMs() {
    return longNumber("metadata.log.max.snapshot.interval.ms", TimeUnit.HOURS.toMillis(1));
  }

  private int number(String name, int otherwise) {
    return Math.toIntExact(longNumber(name, otherwise));
  }

  private long longNumber(String name, long otherwise) {
    String text = explicit.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is \"" + text + "\", expected a whole number", e);
    }
  }
}
