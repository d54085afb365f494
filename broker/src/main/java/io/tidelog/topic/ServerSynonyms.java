package io.tidelog.topic;

import java.util.List;
import org.apache.kafka.server.config.ConfigSynonym;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;

/**
 * The server-level settings that stand in for a topic config which the topic does not set: {@code
 * log.retention.hours} for {@code retention.ms}, and so on. Of {@code producer.id.expiration.ms}
 * there is only the server's setting; every log goes by it.
 */
public final class ServerSynonyms {
  /** Of the server's any negative number stands for ever, of a topic's only -1. */
  private static final String RETENTION_MS = "retention.ms";

  private ServerSynonyms() {}

  /**
   * The settings for this config, the one that goes first in front; none if there is no such
   * setting. All but the first may be in another unit.
   */
  public static List<ConfigSynonym> of(String topicConfig) {
    return topicConfig.startsWith("tidelog.") || topicConfig.equals("producer.id.expiration.ms")
        ? List.of(new ConfigSynonym(topicConfig))
        : ServerTopicConfigSynonyms.ALL_TOPIC_CONFIG_SYNONYMS.getOrDefault(topicConfig, List.of());
  }

  public static List<String> namesOf(String topicConfig) {
    return of(topicConfig).stream().map(ConfigSynonym::name).toList();
  }

  /** A value that was set under one of these names, in the unit of the topic config. */
  public static String inUnitOf(String topicConfig, ConfigValue set) {
    return inUnitOf(topicConfig, set.name(), set.value());
  }

  static String inUnitOf(String topicConfig, String name, String value) {
    boolean isForEver =
        topicConfig.equals(RETENTION_MS)
            && !name.equals(topicConfig)
            && value.trim().startsWith("-");
    return isForEver
        ? "-1"
        : of(topicConfig).stream()
            .filter(synonym -> synonym.name().equals(name))
            .findFirst()
            .map(synonym -> synonym.converter().apply(value))
            .orElse(value);
  }
}
