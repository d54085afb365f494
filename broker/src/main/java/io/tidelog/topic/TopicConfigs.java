package io.tidelog.topic;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.storage.internals.log.LogConfig;

/**
 * Every config that a topic can have: Kafka's, with Kafka's types, bounds and defaults, and three
 * of our own. Loaded when somebody first sets or describes a config, since Kafka's table is slow to
 * come up.
 */
public final class TopicConfigs {
  /** What an acknowledgement means: {@code page-cache} or {@code fsync}. */
  public static final String DURABILITY = "tidelog.durability";

  /** Which time retention.ms counts from: {@code record} or {@code append}. */
  public static final String RETENTION_CLOCK = "tidelog.retention.clock";

  /** How much of a produced batch is read: {@code full} or {@code header}. */
  public static final String BATCH_VALIDATION = "tidelog.batch.validation";

  private static final List<String> TIERED_STORAGE =
      List.of("remote.storage.enable", "remote.log.copy.disable");

  private static final ConfigDef DEFINITION =
      LogConfig.configDefCopy()
          .define(
              DURABILITY,
              ConfigDef.Type.STRING,
              "page-cache",
              ValidString.in("page-cache", "fsync"),
              Importance.HIGH,
              "What an acknowledgement means: page-cache (the record survives a crash of the broker)"
                  + " or fsync (it also survives a power cut; acknowledgements and the high"
                  + " watermark wait for an fsync that they share).")
          .define(
              RETENTION_CLOCK,
              ConfigDef.Type.STRING,
              "record",
              ValidString.in("record", "append"),
              Importance.MEDIUM,
              "Which time retention.ms counts from: record (the largest timestamp in a segment, as"
                  + " in Kafka) or append (when the segment was last written to, so that a record"
                  + " dated in the future holds nothing back).")
          .define(
              BATCH_VALIDATION,
              ConfigDef.Type.STRING,
              "full",
              ValidString.in("full", "header"),
              Importance.MEDIUM,
              "How much of a produced batch is read before it is stored: full (every record, as in"
                  + " Kafka) or header (the header is believed if the CRC is right; compacted topics,"
                  + " and batches with records that a topic's other configs are about, are read in"
                  + " full all the same).");

  private TopicConfigs() {}

  /** All keys by name. */
  public static Map<String, ConfigKey> keys() {
    return DEFINITION.configKeys();
  }

  /** A key's default as text; null if it has none. */
  public static String defaultOf(ConfigKey key) {
    return key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : null;
  }

  /**
   * The server-level settings that can be altered while the broker runs, each with the topic config
   * that it is the default of.
   */
  public static Map<String, ConfigKey> alterableServerSettings() {
    return keys().values().stream()
        .filter(key -> !ServerSynonyms.of(key.name).isEmpty())
        .collect(Collectors.toMap(key -> ServerSynonyms.of(key.name).get(0).name(), key -> key));
  }

  /**
   * The server-level settings in other units ({@code log.retention.hours}, …) that go behind those
   * above; they are fixed while the broker runs.
   */
  public static List<ConfigKey> fixedServerSettings() {
    Map<String, ConfigKey> known = LogConfig.SERVER_CONFIG_DEF.configKeys();
    return keys().keySet().stream()
        .flatMap(config -> ServerSynonyms.namesOf(config).stream().skip(1))
        .map(known::get)
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Checks the configs that a topic would have.
   *
   * @param own what the topic sets itself
   * @param inherited values of the rest that are set on the server, by topic-level name
   * @throws InvalidConfigurationException if a name is unknown, a value is out of its bounds, two
   *     contradict each other, or one asks for what this broker cannot do
   */
  static void check(Map<String, String> own, Map<String, String> inherited) {
    Set<String> unknown = new TreeSet<>(own.keySet());
    unknown.removeAll(keys().keySet());
    if (!unknown.isEmpty()) {
      throw new InvalidConfigurationException(
          "Unknown topic config name: " + String.join(", ", unknown));
    }
    for (String name : TIERED_STORAGE) {
      if ("true".equalsIgnoreCase(own.getOrDefault(name, "false").trim())) {
        throw new InvalidConfigurationException(
            name + "=true is not possible: this broker has no tiered storage.");
      }
    }
    Map<String, String> all = new TreeMap<>(inherited);
    all.putAll(own);
    try {
      LogConfig.validateValues(DEFINITION.parse(all));
    } catch (ConfigException e) {
      throw new InvalidConfigurationException(e.getMessage(), e);
    }
  }
}
