package io.tidelog.topic;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.image.MetadataImage;

/** Which configs this broker, or all brokers, may be given while they run: those of Kafka's. */
final class BrokerRules {
  /** Numbers of threads, which may at most double or halve in one step. */
  private static final Set<String> THREADS =
      Set.of(
          "num.io.threads",
          "num.network.threads",
          "num.replica.fetchers",
          "num.recovery.threads.per.data.dir",
          "background.threads",
          CleanerConfigs.THREADS);

  /** What a thread of the cleaner must have more of. */
  private static final long LEAST_KEY_BYTES = 1 << 20;

  private final ConfigLookup lookup;

  BrokerRules(ConfigLookup lookup) {
    this.lookup = lookup;
  }

  /**
   * Checks all configs that a broker, or all, would have.
   *
   * @throws InvalidRequestException if there is no such broker, or it may not have these
   */
  void check(MetadataImage image, ConfigResource broker, Map<String, String> wanted) {
    if (!broker.equals(lookup.thisBroker()) && !broker.equals(ConfigLookup.ALL_BROKERS)) {
      throw new InvalidRequestException(
          "Unexpected broker id, expected "
              + lookup.thisBroker().name()
              + " or empty string, but received "
              + broker.name());
    }
    try {
      ServerConfigs.check(broker, changed(image, broker, wanted));
      Map<String, String> values = lookup.serverValues(image.configs(), broker, wanted);
      Map<String, String> before = lookup.serverValues(image.configs());
      checkThreads(before, values);
      if (CleanerConfigs.ALTERABLE.stream().anyMatch(name -> isOther(name, before, values))) {
        checkCleaner(values);
      }
      lookup.check(image.configs(), lookup.inherited(image.configs(), broker, wanted));
    } catch (ConfigException | IllegalArgumentException | InvalidConfigurationException e) {
      throw new InvalidRequestException(e.getMessage(), e);
    }
  }

  /** What Kafka has set and nobody changes is none of ours. */
  private static Map<String, String> changed(
      MetadataImage image, ConfigResource broker, Map<String, String> wanted) {
    Map<String, String> changed = new TreeMap<>(wanted);
    changed.entrySet().removeAll(image.configs().configMapForResource(broker).entrySet());
    return changed;
  }

  private static boolean isOther(
      String name, Map<String, String> before, Map<String, String> values) {
    return !Objects.equals(before.get(name), values.get(name));
  }

  private static void checkThreads(Map<String, String> before, Map<String, String> values) {
    Map<String, ConfigKey> keys = ServerConfigs.keys();
    for (String name : THREADS) {
      String byDefault = TopicConfigs.defaultOf(keys.get(name));
      int now = Integer.parseInt(before.getOrDefault(name, byDefault).trim());
      int wanted = Integer.parseInt(values.getOrDefault(name, byDefault).trim());
      if (wanted < Math.max(1, now / 2) || wanted > now * 2L) {
        throw new ConfigException(
            "%s is %d and may be %d to %d next, not %d"
                .formatted(name, now, Math.max(1, now / 2), now * 2L, wanted));
      }
    }
  }

  private static void checkCleaner(Map<String, String> values) {
    var cleaner = CleanerConfigs.settings(values);
    if (cleaner.keyBytes() / cleaner.threads() <= LEAST_KEY_BYTES) {
      throw new ConfigException(
          "%s is %d for %d threads, expected more than %d for each"
              .formatted(
                  CleanerConfigs.KEY_BYTES,
                  cleaner.keyBytes(),
                  cleaner.threads(),
                  LEAST_KEY_BYTES));
    }
  }
}
