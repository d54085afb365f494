package io.tidelog.handler;

import org.apache.kafka.common.config.ConfigDef;

/**
 * A server-level setting, as it is described.
 *
 * @param name Kafka's name for it
 * @param type its type; null if nobody knows it
 * @param byDefault its default as text; null if it has none
 */
public record ServerSetting(String name, ConfigDef.Type type, String byDefault) {

  /** The setting that a key of Kafka's stands for. */
  public static ServerSetting of(ConfigDef.ConfigKey key) {
    String byDefault =
        key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : null;
    return new ServerSetting(key.name, key.type, byDefault);
  }

  /** Whether its value is told to nobody: a password, or what nobody knows to be none. */
  boolean isSecret() {
    return type == null || type == ConfigDef.Type.PASSWORD;
  }

  /** The same, with the default that this broker has chosen; null leaves it. */
  public ServerSetting withDefault(String chosen) {
    return chosen == null ? this : new ServerSetting(name, type, chosen);
  }
}
