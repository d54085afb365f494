package io.tidelog.topic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Decides on edits of configs, each resource for itself. */
final class ConfigAlteration {
  /** As in Kafka. */
  private static final int MOST_CHARACTERS_PER_VALUE = Short.MAX_VALUE;

  private final ConfigRules rules;

  ConfigAlteration(ConfigRules rules) {
    this.rules = rules;
  }

  Change.Decision<Map<ConfigResource, Outcome<Void>>> decide(
      MetadataImage image, Map<ConfigResource, ConfigEdit> edits) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    Map<ConfigResource, Outcome<Void>> answers = new LinkedHashMap<>();
    edits.forEach(
        (resource, edit) ->
            answers.put(
                resource,
                Outcome.from(
                    () -> {
                      records.addAll(edit(image, resource, edit));
                      return null;
                    })));
    return new Change.Decision<>(records, answers);
  }

  private List<ApiMessageAndVersion> edit(
      MetadataImage image, ConfigResource resource, ConfigEdit edit) {
    Map<String, String> current = image.configs().configMapForResource(resource);
    Map<String, String> wanted = edit.apply(current);
    wanted.values().forEach(ConfigAlteration::checkLength);
    rules.check(image, resource, wanted);
    TreeSet<String> names = new TreeSet<>(current.keySet());
    names.addAll(wanted.keySet());
    List<ApiMessageAndVersion> records = new ArrayList<>();
    for (String name : names) {
      if (!Objects.equals(current.get(name), wanted.get(name))) {
        records.add(record(resource, name, wanted.get(name)));
      }
    }
    return records;
  }

  private static void checkLength(String value) {
    if (value != null && value.length() > MOST_CHARACTERS_PER_VALUE) {
      throw new InvalidConfigurationException(
          "A config value may have "
              + MOST_CHARACTERS_PER_VALUE
              + " characters, not "
              + value.length()
              + ".");
    }
  }

  /** The record that sets a config, or takes it away if the value is null. */
  static ApiMessageAndVersion record(ConfigResource resource, String config, String value) {
    return new ApiMessageAndVersion(
        new ConfigRecord()
            .setResourceType(resource.type().id())
            .setResourceName(resource.name())
            .setName(config)
            .setValue(value),
        (short) 0);
  }
}
