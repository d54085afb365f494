package io.tidelog.handler;

import io.tidelog.topic.ConfigLookup;
import io.tidelog.topic.ConfigValue;
import io.tidelog.topic.ServerConfigs;
import io.tidelog.topic.ServerSynonyms;
import io.tidelog.topic.TopicConfigs;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.image.ConfigurationsImage;

/** The configs of this broker and of all brokers, sorted by name. */
final class BrokerRows {
  private final ConfigLookup lookup;
  private final Collection<ServerSetting> settings;

  /**
   * @param settings those of this broker that take effect, besides the defaults of topics
   */
  BrokerRows(Topics topics, Collection<ServerSetting> settings) {
    this.lookup = topics.configs();
    this.settings = List.copyOf(settings);
  }

  /** What takes effect on this broker, and what was set while it ran. */
  List<ConfigRow> ofThis(ConfigurationsImage image) {
    Map<String, ServerSetting> described = new TreeMap<>();
    for (ConfigKey key : TopicConfigs.fixedServerSettings()) {
      described.put(key.name, ServerSetting.of(key));
    }
    settings.forEach(setting -> described.put(setting.name(), setting));
    TopicConfigs.alterableServerSettings()
        .forEach((name, key) -> described.put(name, ofTopics(name, key)));
    for (var broker : List.of(ConfigLookup.ALL_BROKERS, lookup.thisBroker())) {
      image
          .configMapForResource(broker)
          .keySet()
          .forEach(name -> described.computeIfAbsent(name, unknown -> setting(name)));
    }
    return described.values().stream().map(setting -> row(image, described, setting)).toList();
  }

  private static ServerSetting ofTopics(String name, ConfigKey key) {
    boolean isOnlyOne = ServerSynonyms.of(key.name).size() == 1;
    return new ServerSetting(name, key.type, isOnlyOne ? TopicConfigs.defaultOf(key) : null);
  }

  private static ServerSetting setting(String name) {
    ConfigKey key = ServerConfigs.keys().get(name);
    return key == null
        ? new ServerSetting(name, ServerConfigs.typeOf(name).orElse(null), null)
        : new ServerSetting(name, key.type, TopicConfigs.defaultOf(key));
  }

  private ConfigRow row(
      ConfigurationsImage image, Map<String, ServerSetting> described, ServerSetting setting) {
    List<String> names = ServerConfigs.synonymsOf(setting.name());
    List<ConfigValue> values = new ArrayList<>(lookup.ofServer(image, names));
    for (String name : names) {
      ServerSetting other = described.get(name);
      if (other != null && other.byDefault() != null) {
        values.add(new ConfigValue(name, other.byDefault(), ConfigSource.DEFAULT_CONFIG));
      }
    }
    while (!values.isEmpty() && !values.get(0).name().equals(setting.name())) {
      values.remove(0);
    }
    String value = values.isEmpty() ? null : asParsed(setting, values.get(0).value());
    return row(setting, value, values);
  }

  /** As Kafka, in the form that its parser gives it. */
  private static String asParsed(ServerSetting setting, String value) {
    if (setting.type() == null) {
      return value;
    }
    try {
      Object parsed = ConfigDef.parseType(setting.name(), value, setting.type());
      return ConfigDef.convertToString(parsed, setting.type());
    } catch (ConfigException notOfItsType) {
      return value;
    }
  }

  private static ConfigRow row(ServerSetting setting, String value, List<ConfigValue> values) {
    ConfigKey key = ServerConfigs.keys().get(setting.name());
    return new ConfigRow(
        setting,
        key == null ? null : key.documentation,
        value,
        values,
        !ServerConfigs.isAlterable(setting.name()));
  }

  /** What the metadata log has for all brokers. */
  List<ConfigRow> ofAll(ConfigurationsImage image) {
    return new TreeMap<>(image.configMapForResource(ConfigLookup.ALL_BROKERS))
        .entrySet().stream().map(set -> ofAll(set.getKey(), set.getValue())).toList();
  }

  private static ConfigRow ofAll(String name, String value) {
    return row(
        setting(name),
        value,
        List.of(new ConfigValue(name, value, ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG)));
  }
}
