package io.tidelog.coordinator;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.coordinator.group.GroupConfig;

/**
 * The configs that a group can have of its own: Kafka's for the consumer and streams protocols.
 * What a group does not set, the server's setting of a similar name gives.
 */
public final class GroupConfigs {
  private static final List<String> OFFERED = List.of("consumer.", "streams.");

  private final GroupSettings settings;

  /**
   * The configs under these settings.
   *
   * @param settings bound what a group may set
   */
  public GroupConfigs(GroupSettings settings) {
    this.settings = settings;
  }

  /** All keys, sorted by name. */
  public static List<ConfigKey> keys() {
    return GroupConfig.CONFIG_DEF.configKeys().values().stream()
        .filter(key -> OFFERED.stream().anyMatch(key.name::startsWith) && !key.internalConfig)
        .sorted((a, b) -> a.name.compareTo(b.name))
        .toList();
  }

  /** The server-level setting that counts where the group sets nothing. */
  public static ConfigKey serverKey(ConfigKey config) {
    return GroupConfig.brokerSynonym(config.name).map(GroupSettings::key).orElse(config);
  }

  /** A server-level value as the group's config has it: of a list of choices the first counts. */
  public static String ofServer(ConfigKey config, String value) {
    boolean isChoice =
        serverKey(config).type == ConfigDef.Type.LIST && config.type != ConfigDef.Type.LIST;
    return isChoice ? value.split(",", -1)[0].trim() : value;
  }

  /**
   * Checks the configs that a group would have.
   *
   * @throws InvalidConfigurationException if a name is unknown, or a value out of its bounds
   */
  public void check(Map<String, String> wanted) {
    TreeSet<String> unknown = new TreeSet<>(wanted.keySet());
    keys().forEach(key -> unknown.remove(key.name));
    if (!unknown.isEmpty()) {
      throw new InvalidConfigurationException(
          "Unknown group config name: " + String.join(", ", unknown));
    }
    try {
      GroupConfig.validate(wanted, settings.config(), settings.shareConfig());
    } catch (ConfigException e) {
      throw new InvalidConfigurationException(e.getMessage(), e);
    }
  }
}
