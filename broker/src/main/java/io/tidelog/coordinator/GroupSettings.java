package io.tidelog.coordinator;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;

/**
 * The settings of group coordination ({@code group.*}, {@code offsets.*}, {@code
 * offset.metadata.max.bytes}) under Kafka's names and with its defaults.
 *
 * <p>One default differs: {@code group.coordinator.rebalance.protocols} is {@code
 * classic,consumer,streams}, since share groups are not offered.
 */
public final class GroupSettings {
  private static final String PROTOCOLS = "group.coordinator.rebalance.protocols";
  private static final List<String> PROTOCOLS_OFFERED = List.of("classic", "consumer", "streams");
  private static final List<String> NOT_OFFERED =
      List.of("group.share.", "group.streams.topology.description.", "errors.deadletterqueue.");

  private final GroupCoordinatorConfig config;
  private final ShareGroupConfig shareConfig;
  private final Set<String> protocols;

  private GroupSettings(
      GroupCoordinatorConfig config, ShareGroupConfig shareConfig, Set<String> protocols) {
    this.config = config;
    this.shareConfig = shareConfig;
    this.protocols = protocols;
  }

  /**
   * Picks the settings of group coordination from all server-level settings that somebody set.
   *
   * @throws IllegalArgumentException if a value is out of bounds, with its name, or if a protocol
   *     is asked for that is not offered
   */
  public static GroupSettings of(Map<String, String> serverSettings) {
    Map<String, String> ours = new HashMap<>(serverSettings);
    ours.keySet().retainAll(names());
    ours.putIfAbsent(PROTOCOLS, String.join(",", PROTOCOLS_OFFERED));
    try {
      AbstractConfig values = new AbstractConfig(GroupCoordinatorConfig.CONFIG_DEF, ours, false);
      return new GroupSettings(
          new GroupCoordinatorConfig(values),
          ShareGroupConfig.fromProps(Map.of()),
          protocols(values));
    } catch (ConfigException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The names of the settings that take effect here. */
  public static Set<String> names() {
    Set<String> names = new TreeSet<>(GroupCoordinatorConfig.CONFIG_DEF.names());
    names.removeIf(name -> NOT_OFFERED.stream().anyMatch(name::startsWith));
    names.remove(GroupCoordinatorConfig.OFFSETS_TOPIC_REPLICATION_FACTOR_CONFIG);
    return names;
  }

  static ConfigKey key(String name) {
    return GroupCoordinatorConfig.CONFIG_DEF.configKeys().get(name);
  }

  /** The settings that take effect here, with their types and defaults. */
  public static List<ConfigKey> keys() {
    Map<String, ConfigKey> keys = GroupCoordinatorConfig.CONFIG_DEF.configKeys();
    return names().stream().map(keys::get).toList();
  }

  private static Set<String> protocols(AbstractConfig values) {
    Set<String> wanted = new TreeSet<>();
    values.getList(PROTOCOLS).forEach(protocol -> wanted.add(protocol.toLowerCase(Locale.ROOT)));
    for (String protocol : wanted) {
      if (!PROTOCOLS_OFFERED.contains(protocol)) {
        throw new IllegalArgumentException(
            "%s names \"%s\", offered are %s".formatted(PROTOCOLS, protocol, PROTOCOLS_OFFERED));
      }
    }
    return wanted;
  }

  /** Whether the KIP-848 protocol is on; the classic one always is. */
  public boolean offersConsumerProtocol() {
    return protocols.contains("consumer");
  }

  /** Whether groups of Kafka Streams (KIP-1071) are on. */
  public boolean offersStreamsProtocol() {
    return protocols.contains("streams");
  }

  GroupCoordinatorConfig config() {
    return config;
  }

  ShareGroupConfig shareConfig() {
    return shareConfig;
  }
}
