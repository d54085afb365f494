package io.tidelog.topic;

import io.tidelog.log.LogSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.image.ConfigurationsImage;

/**
 * Finds the value that counts. A config may be set on the topic, on this broker or on all brokers
 * (in the metadata log), or in the server's settings at start; the first of these wins. What nobody
 * has set has its default.
 */
public final class ConfigLookup {
  /** The resource whose configs hold for every broker. */
  public static final ConfigResource ALL_BROKERS =
      new ConfigResource(ConfigResource.Type.BROKER, "");

  /** Sets the segment size below the least that Kafka allows; meant for tests. */
  private static final String INTERNAL_SEGMENT_BYTES = "internal.segment.bytes";

  private static final String SEGMENT_BYTES = "segment.bytes";

  private final Map<String, String> serverSettings;
  private final ConfigResource thisBroker;

  /**
   * @param serverSettings what was set at start, by server-level name
   * @param nodeId this broker
   */
  public ConfigLookup(Map<String, String> serverSettings, int nodeId) {
    this.serverSettings = Map.copyOf(serverSettings);
    this.thisBroker = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(nodeId));
  }

  /** A topic as a resource. */
  public static ConfigResource topic(String name) {
    return new ConfigResource(ConfigResource.Type.TOPIC, name);
  }

  /** A group as a resource. */
  public static ConfigResource group(String name) {
    return new ConfigResource(ConfigResource.Type.GROUP, name);
  }

  /** The resource whose configs hold for this broker alone. */
  public ConfigResource thisBroker() {
    return thisBroker;
  }

  /**
   * The values of a topic config that somebody has set, the one that counts first.
   *
   * @param own the configs that are set on the topic
   */
  public List<ConfigValue> ofTopic(
      ConfigurationsImage image, Map<String, String> own, String config) {
    List<ConfigValue> values = new ArrayList<>();
    add(values, own, config, ConfigSource.DYNAMIC_TOPIC_CONFIG);
    values.addAll(ofServer(image, ServerSynonyms.namesOf(config)));
    return values;
  }

  /** The values under these server-level names that somebody has set, the one that counts first. */
  public List<ConfigValue> ofServer(ConfigurationsImage image, List<String> names) {
    return ofServer(altered(image), names);
  }

  /** What was set while the broker runs: on it, and on all. */
  private record Altered(Map<String, String> onThis, Map<String, String> onAll) {}

  private Altered altered(ConfigurationsImage image) {
    return new Altered(
        image.configMapForResource(thisBroker), image.configMapForResource(ALL_BROKERS));
  }

  /** The same, if a broker, or all, had other configs. */
  private Altered altered(
      ConfigurationsImage image, ConfigResource broker, Map<String, String> wanted) {
    Altered now = altered(image);
    return broker.equals(thisBroker)
        ? new Altered(wanted, now.onAll)
        : new Altered(now.onThis, wanted);
  }

  private List<ConfigValue> ofServer(Altered altered, List<String> names) {
    List<ConfigValue> values = new ArrayList<>();
    names.forEach(name -> add(values, altered.onThis, name, ConfigSource.DYNAMIC_BROKER_CONFIG));
    names.forEach(
        name -> add(values, altered.onAll, name, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG));
    names.forEach(name -> add(values, serverSettings, name, ConfigSource.STATIC_BROKER_CONFIG));
    return values;
  }

  /** The values of this broker that count, by server-level name; no defaults. */
  Map<String, String> serverValues(ConfigurationsImage image) {
    return serverValues(altered(image));
  }

  /**
   * The same, if a broker, or all, had these configs.
   *
   * @param broker this, or all
   */
  Map<String, String> serverValues(
      ConfigurationsImage image, ConfigResource broker, Map<String, String> wanted) {
    return serverValues(altered(image, broker, wanted));
  }

  private Map<String, String> serverValues(Altered altered) {
    Map<String, String> values = new TreeMap<>(serverSettings);
    values.putAll(altered.onAll);
    values.putAll(altered.onThis);
    return values;
  }

  /** What topics get from the server's settings, by topic-level name; no defaults. */
  public Map<String, String> inherited(ConfigurationsImage image) {
    return inherited(altered(image));
  }

  /** The same, if a broker, or all, had these configs. */
  Map<String, String> inherited(
      ConfigurationsImage image, ConfigResource broker, Map<String, String> wanted) {
    return inherited(altered(image, broker, wanted));
  }

  private Map<String, String> inherited(Altered altered) {
    Map<String, String> values = new TreeMap<>();
    for (String config : TopicConfigs.keys().keySet()) {
      ofServer(altered, ServerSynonyms.namesOf(config)).stream()
          .findFirst()
          .ifPresent(set -> values.put(config, ServerSynonyms.inUnitOf(config, set)));
    }
    return values;
  }

  /**
   * Checks the configs that a topic would have.
   *
   * @param own the configs that would be set on the topic
   * @throws InvalidConfigurationException if Kafka's rules or the engine's do not allow them
   */
  void check(ConfigurationsImage image, Map<String, String> own) {
    TopicConfigs.check(own, inherited(image));
    try {
      logSettings(image, own);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationException(e.getMessage(), e);
    }
  }

  /**
   * The engine's settings for a topic.
   *
   * @param own the configs that are set on the topic
   * @throws IllegalArgumentException if the engine does not allow a value
   */
  public LogSettings logSettings(ConfigurationsImage image, Map<String, String> own) {
    Map<String, String> values = new TreeMap<>();
    for (String config : LogSettings.NAMES.keySet()) {
      ofTopic(image, own, config).stream()
          .findFirst()
          .ifPresent(set -> values.put(config, ServerSynonyms.inUnitOf(config, set)));
    }
    if (own.containsKey(INTERNAL_SEGMENT_BYTES)) {
      values.put(SEGMENT_BYTES, own.get(INTERNAL_SEGMENT_BYTES));
    }
    return values.isEmpty() ? LogSettings.DEFAULTS : LogSettings.of(values);
  }

  private static void add(
      List<ConfigValue> values, Map<String, String> from, String name, ConfigSource source) {
    String value = from.get(name);
    if (value != null) {
      values.add(new ConfigValue(name, value, source));
    }
  }
}
