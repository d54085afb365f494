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
    return of(topicConfig).stream()
        .filter(synonym -> synonym.name().equals(set.name()))
        .findFirst()
        .map(synonym -> synonym.converter().apply(set.value()))
        .orElse(set.value());
  }
}
