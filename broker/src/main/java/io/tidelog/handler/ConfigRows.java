package io.tidelog.handler;

import io.tidelog.coordinator.GroupConfigs;
import io.tidelog.topic.ClientMetrics;
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

/** The configs of a resource with the values that count, sorted by name. */
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
    ServerSetting setting = ServerSetting.of(key);
    List<ConfigValue> values = new ArrayList<>(lookup.ofTopic(image, own, key.name));
    String value =
        values.isEmpty() ? setting.byDefault() : ServerSynonyms.inUnitOf(key.name, values.get(0));
    List<String> serverNames = ServerSynonyms.namesOf(key.name);
    if (serverNames.size() == 1) {
      values.add(
          new ConfigValue(serverNames.get(0), setting.byDefault(), ConfigSource.DEFAULT_CONFIG));
    }
    return new ConfigRow(setting, key.documentation, value, values, false);
  }

  /** The configs of a group. */
  List<ConfigRow> ofGroup(ConfigurationsImage image, String group) {
    Map<String, String> own = image.configMapForResource(ConfigLookup.group(group));
    return GroupConfigs.keys().stream().map(key -> ofGroup(image, own, key)).toList();
  }

  private ConfigRow ofGroup(ConfigurationsImage image, Map<String, String> own, ConfigKey key) {
    List<ConfigValue> values = new ArrayList<>();
    if (own.containsKey(key.name)) {
      values.add(new ConfigValue(key.name, own.get(key.name), ConfigSource.DYNAMIC_GROUP_CONFIG));
    }
    ServerSetting setting = ServerSetting.of(key);
    ServerSetting onServer = ServerSetting.of(GroupConfigs.serverKey(key));
    values.addAll(lookup.ofServer(image, List.of(onServer.name())));
    values.add(new ConfigValue(onServer.name(), onServer.byDefault(), ConfigSource.DEFAULT_CONFIG));
    String first = values.get(0).value();
    String value = own.containsKey(key.name) ? first : GroupConfigs.ofServer(key, first);
    return new ConfigRow(setting, key.documentation, value, values, false);
  }

  /** The levels of the loggers, which are set where the logging library is configured. */
  static List<ConfigRow> ofLoggers() {
    return LoggerLevels.now().entrySet().stream()
        .map(logger -> ofLogger(logger.getKey(), logger.getValue()))
        .toList();
  }

  /** Kafka's tools look for loggers among configs of this source, and for none elsewhere. */
  private static ConfigRow ofLogger(String name, String level) {
    return new ConfigRow(
        new ServerSetting(name, ConfigDef.Type.STRING, null),
        null,
        level,
        List.of(new ConfigValue(name, level, ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG)),
        true);
  }

  /** What clients are to report. */
  List<ConfigRow> ofClientMetrics(ConfigurationsImage image, String name) {
    Map<String, String> own = image.configMapForResource(ClientMetrics.resource(name));
    return new TreeMap<>(ClientMetrics.keys())
        .values().stream().map(key -> ofClientMetrics(own.get(key.name), key)).toList();
  }

  private static ConfigRow ofClientMetrics(String own, ConfigKey key) {
    ServerSetting setting = ServerSetting.of(key);
    List<ConfigValue> values = new ArrayList<>();
    if (own != null) {
      values.add(new ConfigValue(key.name, own, ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG));
    }
    values.add(new ConfigValue(key.name, setting.byDefault(), ConfigSource.DEFAULT_CONFIG));
    return new ConfigRow(setting, key.documentation, values.get(0).value(), values, false);
  }
}
