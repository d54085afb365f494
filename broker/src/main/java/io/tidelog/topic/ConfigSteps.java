package io.tidelog.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.errors.InvalidConfigurationException;

/**
 * An edit in steps, one for each config.
 *
 * @param steps what to do
 * @param keys the key of a config; null if there is no such config
 */
public record ConfigSteps(List<Step> steps, Function<String, ConfigKey> keys)
    implements ConfigEdit {

  /** What a step does. */
  public enum Verb {
    SET,
    DELETE,
    /** Adds items to a list, those that it lacks. */
    APPEND,
    /** Takes items from a list. */
    SUBTRACT
  }

  /**
   * One config.
   *
   * @param value null for DELETE; comma-separated items for APPEND and SUBTRACT
   */
  public record Step(Verb verb, String config, String value) {}

  @Override
  public Map<String, String> apply(Map<String, String> current) {
    Map<String, String> wanted = new TreeMap<>(current);
    for (Step step : steps) {
      switch (step.verb) {
        case SET -> wanted.put(step.config, step.value);
        case DELETE -> wanted.remove(step.config);
        case APPEND, SUBTRACT -> wanted.put(step.config, changedList(current, step));
      }
    }
    return wanted;
  }

  private String changedList(Map<String, String> current, Step step) {
    ConfigKey key = keys.apply(step.config);
    if (key == null || key.type != ConfigDef.Type.LIST) {
      throw new InvalidConfigurationException(
          "Can't " + step.verb + " to key " + step.config + " because its type is not LIST.");
    }
    String before = current.getOrDefault(step.config, TopicConfigs.defaultOf(key));
    List<String> items = new ArrayList<>(items(before == null ? "" : before));
    for (String item : items(step.value)) {
      if (step.verb == Verb.SUBTRACT) {
        items.remove(item);
      } else if (!items.contains(item)) {
        items.add(item);
      }
    }
    return String.join(",", items);
  }

  private static List<String> items(String list) {
    List<String> items = new ArrayList<>();
    for (String item : list.split(",", -1)) {
      if (!item.isEmpty()) {
        items.add(item);
      }
    }
    return items;
  }
}
