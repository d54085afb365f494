package io.tidelog.topic;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.image.MetadataImage;

/** Which configs a resource may have. */
final class ConfigRules {
  private final ConfigLookup lookup;

  ConfigRules(ConfigLookup lookup) {
    this.lookup = lookup;
  }

  /**
   * Checks all configs that a resource would have.
   *
   * @throws org.apache.kafka.common.errors.ApiException if it does not exist, has no configs, or
   *     may not have these
   */
  void check(MetadataImage image, ConfigResource resource, Map<String, String> wanted) {
    switch (resource.type()) {
      case TOPIC -> checkTopic(image, resource.name(), wanted);
      case BROKER -> checkBroker(image, resource, wanted);
      case GROUP -> checkGroup(resource.name());
      case CLIENT_METRICS -> ClientMetrics.check(resource.name(), wanted);
      case BROKER_LOGGER ->
          throw new InvalidConfigurationException(
              "Levels of loggers are set where the logging library is configured.");
      default ->
          throw new InvalidRequestException(
              "Configs of a resource of type " + resource.type() + " cannot be altered here.");
    }
  }

  private void checkTopic(MetadataImage image, String topic, Map<String, String> wanted) {
    if (topic.isEmpty()) {
      throw new InvalidRequestException("Default topic resources are not allowed.");
    }
    TopicNames.check(topic);
    lookup.check(image.configs(), wanted);
    if (image.topics().getTopic(topic) == null) {
      throw new UnknownTopicOrPartitionException("The topic '" + topic + "' does not exist.");
    }
  }

  /** What a group's configs may be is the coordinator's to say; the edit itself asks it. */
  private static void checkGroup(String group) {
    if (group.isEmpty()) {
      throw new InvalidRequestException("Default group resources are not allowed.");
    }
  }

  private void checkBroker(MetadataImage image, ConfigResource broker, Map<String, String> wanted) {
    if (!broker.equals(lookup.thisBroker()) && !broker.equals(ConfigLookup.ALL_BROKERS)) {
      throw new InvalidRequestException(
          "Unexpected broker id, expected "
              + lookup.thisBroker().name()
              + " or empty string, but received "
              + broker.name());
    }
    Map<String, ConfigKey> alterable = TopicConfigs.alterableServerSettings();
    Map<String, String> current = image.configs().configMapForResource(broker);
    TreeSet<String> others = new TreeSet<>(wanted.keySet());
    others.removeIf(name -> alterable.containsKey(name) || isKept(name, current, wanted));
    if (!others.isEmpty()) {
      throw new InvalidRequestException("Cannot update these configs dynamically: " + others);
    }
    Map<String, String> asTopicConfigs = new TreeMap<>(lookup.inherited(image.configs()));
    wanted.forEach(
        (name, value) -> {
          ConfigKey key = alterable.get(name);
          if (key != null) {
            checkValue(key, name, value);
            asTopicConfigs.put(key.name, value);
          }
        });
    lookup.check(image.configs(), asTopicConfigs);
  }

  /** What Kafka has set and nobody changes is none of ours. */
  private static boolean isKept(
      String name, Map<String, String> current, Map<String, String> wanted) {
    return wanted.get(name).equals(current.get(name));
  }

  private static void checkValue(ConfigKey key, String name, String value) {
    try {
      Object parsed = ConfigDef.parseType(name, value, key.type);
      if (key.validator != null) {
        key.validator.ensureValid(name, parsed);
      }
    } catch (ConfigException e) {
      throw new InvalidRequestException(e.getMessage(), e);
    }
  }
}
