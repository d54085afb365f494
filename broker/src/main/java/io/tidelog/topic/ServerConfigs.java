package io.tidelog.topic;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.apache.kafka.server.config.DynamicConfig;

/**
 * Every config that a broker can have, by Kafka's table and with our own, and which of them may be
 * altered while it runs. Loaded when somebody first alters or describes one, since Kafka's table is
 * slow to come up.
 */
public final class ServerConfigs {
  /** In Kafka these open ports, load classes or read files; here nothing would follow. */
  private static final Set<String> NOT_FOLLOWED =
      Set.of(
          "listeners",
          "listener.security.protocol.map",
          "principal.builder.class",
          "metric.reporters",
          "config.providers",
          "cordoned.log.dirs");

  private static final Map<String, ConfigKey> OF_TOPICS = TopicConfigs.alterableServerSettings();
  private static final Map<String, ConfigKey> ALL = all();

  private ServerConfigs() {}

  private static Map<String, ConfigKey> all() {
    Map<String, ConfigKey> all = new HashMap<>(AbstractKafkaConfig.CONFIG_DEF.configKeys());
    all.putAll(DynamicConfig.Broker.configKeys());
    all.putAll(OF_TOPICS);
    return Map.copyOf(all);
  }

  /** All keys by name. */
  public static Map<String, ConfigKey> keys() {
    return ALL;
  }

  /** Whether a config of this name is known, and may be altered while the broker runs. */
  public static boolean isAlterable(String name) {
    boolean isKafkas =
        DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS.contains(name) && !NOT_FOLLOWED.contains(name);
    return isKafkas || OF_TOPICS.containsKey(name);
  }

  /** What a config holds; that of a listener what the config without the listener's name holds. */
  public static Optional<ConfigDef.Type> typeOf(String name) {
    ConfigKey key = ALL.get(name);
    return key == null ? AbstractKafkaConfig.configType(name) : Optional.of(key.type);
  }

  /**
   * The names under which a value of this config may be set, the one that goes first in front: with
   * those in other units, and, of a listener's, the one without the listener's name.
   */
  public static List<String> synonymsOf(String name) {
    return DynamicBrokerConfig.brokerConfigSynonyms(name, true);
  }

  /**
   * Checks configs that are to be set while the broker runs.
   *
   * @param broker which they are to be set for; all, if it has no name
   * @throws ConfigException if one may not be set, or not to this value. A name that is not known
   *     may have any.
   */
  static void check(ConfigResource broker, Map<String, String> configs) {
    Properties all = new Properties();
    all.putAll(configs);
    DynamicBrokerConfig.validateConfigs(all, all, !broker.isDefault());
    TreeSet<String> notFollowed = new TreeSet<>(configs.keySet());
    notFollowed.retainAll(NOT_FOLLOWED);
    if (!notFollowed.isEmpty()) {
      throw new ConfigException(
          "This broker cannot follow a change of " + notFollowed + " while it runs");
    }
    configs.forEach((name, value) -> checkValue(OF_TOPICS.get(name), name, value));
    checkForm(configs, "log.retention.ms", "-\\d+|\\d*[1-9]\\d*", "-1 or at least 1");
    checkForm(configs, "max.connections.per.ip.overrides", "([^,]+:\\d+,?)*", "host:number,…");
  }

  /** What Kafka checks besides the type. */
  private static void checkForm(
      Map<String, String> configs, String name, String pattern, String expected) {
    String value = configs.getOrDefault(name, "").trim();
    if (configs.containsKey(name) && !value.matches(pattern)) {
      throw new ConfigException(name + " is \"" + value + "\", expected " + expected);
    }
  }

  private static void checkValue(ConfigKey key, String name, String value) {
    if (key != null) {
      String inItsUnit = ServerSynonyms.inUnitOf(key.name, name, value);
      Object parsed = ConfigDef.parseType(name, inItsUnit, key.type);
      if (key.validator != null) {
        key.validator.ensureValid(name, parsed);
      }
    }
  }
}
