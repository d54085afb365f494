package io.tidelog.topic;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;

/**
 * What an administrator wants clients to report of themselves (KIP-714), as configs of a resource
 * of its own. It is kept and described; no reports are asked for, since nothing here receives them.
 */
public final class ClientMetrics {
  private static final String INTERVAL = "interval.ms";
  private static final String MATCH = "match";
  private static final int LEAST_INTERVAL_MS = 100;
  private static final int MOST_INTERVAL_MS = 3_600_000;
  private static final Set<String> MATCHABLE =
      Set.of(
          "client_instance_id",
          "client_id",
          "client_software_name",
          "client_software_version",
          "client_source_address",
          "client_source_port");

  private static final ConfigDef DEFINITION =
      new ConfigDef()
          .define(
              "metrics",
              ConfigDef.Type.LIST,
              List.of(),
              Importance.MEDIUM,
              "Prefixes of the names of the metrics to report")
          .define(
              INTERVAL,
              ConfigDef.Type.INT,
              300_000,
              Importance.MEDIUM,
              "Milliseconds between reports")
          .define(
              MATCH,
              ConfigDef.Type.LIST,
              List.of(),
              Importance.MEDIUM,
              "Which clients report: items like client_id=REGEX, all of which must fit");

  private ClientMetrics() {}

  /** All keys by name. */
  public static Map<String, ConfigKey> keys() {
    return DEFINITION.configKeys();
  }

  /** A named wish for reports as a resource. */
  public static ConfigResource resource(String name) {
    return new ConfigResource(ConfigResource.Type.CLIENT_METRICS, name);
  }

  /**
   * Checks the configs that a wish for reports would have.
   *
   * @throws InvalidRequestException if it has no name, a config is unknown or a value out of its
   *     bounds
   */
  static void check(String name, Map<String, String> wanted) {
    if (name.isEmpty()) {
      throw new InvalidRequestException("Subscription name can't be empty");
    }
    for (String config : wanted.keySet()) {
      if (!keys().containsKey(config)) {
        throw new InvalidRequestException("Unknown client metrics configuration: " + config);
      }
    }
    try {
      Map<String, Object> parsed = DEFINITION.parse(wanted);
      checkInterval((Integer) parsed.get(INTERVAL));
      ((List<?>) parsed.get(MATCH)).forEach(item -> checkMatch(item.toString()));
    } catch (ConfigException e) {
      throw new InvalidConfigurationException(e.getMessage(), e);
    }
  }

  private static void checkInterval(int intervalMs) {
    if (intervalMs < LEAST_INTERVAL_MS || intervalMs > MOST_INTERVAL_MS) {
      throw new InvalidRequestException(
          "Invalid value %d for %s, interval must be between %d and %d (1 hour)"
              .formatted(intervalMs, INTERVAL, LEAST_INTERVAL_MS, MOST_INTERVAL_MS));
    }
  }

  private static void checkMatch(String item) {
    String[] parts = item.split("=", -1);
    try {
      if (parts.length == 2 && MATCHABLE.contains(parts[0].trim())) {
        Pattern unused = Pattern.compile(parts[1].trim());
        return;
      }
    } catch (PatternSyntaxException e) {
      throw new InvalidConfigurationException("Illegal client matching pattern: " + item, e);
    }
    throw new InvalidConfigurationException("Illegal client matching pattern: " + item);
  }
}
