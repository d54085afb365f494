package io.tidelog.topic;

import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;

/**
 * A value that a config has, or would have if the ones before it were not set.
 *
 * @param name the name under which it was set: the config's own or a server-level one
 * @param value as it was set, in the unit of that name; null if it has none
 * @param source where it was set
 */
public record ConfigValue(String name, String value, ConfigSource source) {}
