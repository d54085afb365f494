package io.tidelog.handler;

import io.tidelog.topic.ConfigLookup;
import io.tidelog.topic.ConfigValue;
import io.tidelog.topic.ServerSynonyms;
import io.tidelog.topic.TopicConfigs;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.image.ConfigurationsImage;

/** The configs of a resource with the values that count, by name. */
final class ConfigRows {
  private final ConfigLookup lookup;

  ConfigRows(Topics topics) {
    this.lookup = topics.configs();
  }

  /**
   * The configs of a topic.
   *
   * @param own the configs that are set on it
   */
  List<ConfigRow> ofTopic(ConfigurationsImage image, Map<String, String> own) {
    List<ConfigRow> rows = new ArrayList<>();
    for (ConfigKey key : new TreeMap<>(TopicConfigs.keys()).values()) {
      if (!key.internalConfig || own.containsKey(key.name)) {
        rows.add(ofTopic(image, own, key));
      }
    }
    return rows;
  }

  private ConfigRow ofTopic(ConfigurationsImage image, Map<String, String> own, ConfigKey key) {
    List<ConfigValue> values = new ArrayList<>(lookup.ofTopic(image, own, key.name));
    String value =
        values.isEmpty()
            ? TopicConfigs.defaultOf(key)
            : ServerSynonyms.inUnitOf(key.name, values.get(0));
    List<String> serverNames = ServerSynonyms.namesOf(key.name);
    if (serverNames.size() == 1) {
      values.add(defaultOf(serverNames.get(0), key));
    }
    return new ConfigRow(key, value, values, false);
  }

  /** The settings of this broker. */
  List<ConfigRow> ofThisBroker(ConfigurationsImage image, ConfigDef settings) {
    List<ConfigRow> rows = new ArrayList<>();
    Map<String, ConfigKey> alterable = TopicConfigs.alterableServerSettings();
    for (ConfigKey key : new TreeMap<>(settings.configKeys()).values()) {
      if (!key.internalConfig) {
        List<ConfigValue> values = new ArrayList<>(lookup.ofServer(image, List.of(key.name)));
        if (key.hasDefault() && key.defaultValue != null) {
          values.add(defaultOf(key.name, key));
        }
        String value = values.isEmpty() ? null : values.get(0).value();
        rows.add(new ConfigRow(key, value, values, !alterable.containsKey(key.name)));
      }
    }
    return rows;
  }

  /** The settings of all brokers that are set in the metadata log. */
  List<ConfigRow> ofAllBrokers(ConfigurationsImage image) {
    List<ConfigRow> rows = new ArrayList<>();
    Map<String, ConfigKey> alterable = TopicConfigs.alterableServerSettings();
    new TreeMap<>(image.configMapForResource(ConfigLookup.ALL_BROKERS))
        .forEach(
            (name, value) -> {
              ConfigKey key = alterable.get(name);
              if (key != null) {
                ConfigValue set =
                    new ConfigValue(name, value, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);
                rows.add(new ConfigRow(named(name, key), value, List.of(set), false));
              }
            });
    return rows;
  }

  private static ConfigKey named(String name, ConfigKey like) {
    return new ConfigKey(
        name,
        like.type,
        like.defaultValue,
        like.validator,
        like.importance,
        like.documentation,
        null,
        0,
        null,
        name,
        List.of(),
        null,
        false,
        null);
  }

  private static ConfigValue defaultOf(String name, ConfigKey key) {
    return new ConfigValue(name, TopicConfigs.defaultOf(key), ConfigSource.DEFAULT_CONFIG);
  }
}
