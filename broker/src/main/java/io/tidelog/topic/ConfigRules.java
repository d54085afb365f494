package io.tidelog.topic;

import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.image.MetadataImage;

/** Which configs a resource may have. */
final class ConfigRules {
  private final ConfigLookup lookup;
  private final BrokerRules brokers;

  ConfigRules(ConfigLookup lookup) {
    this.lookup = lookup;
    this.brokers = new BrokerRules(lookup);
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
      case BROKER -> brokers.check(image, resource, wanted);
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
}
