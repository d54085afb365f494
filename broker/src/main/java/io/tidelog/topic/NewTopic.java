package io.tidelog.topic;

import java.util.List;
import java.util.Map;

/**
 * A wish for a topic.
 *
 * @param name any string; checked by the rules for names
 * @param partitions number of partitions, or {@link #DEFAULT} for num.partitions
 * @param replicationFactor 1 or {@link #DEFAULT}: there is one node
 * @param assignments the nodes of each partition by its number, where the wish names them; else
 *     empty
 * @param configs topic-level configs; a null value is refused
 */
public record NewTopic(
    String name,
    int partitions,
    int replicationFactor,
    Map<Integer, List<Integer>> assignments,
    Map<String, String> configs) {
  public static final int DEFAULT = -1;

  /** A topic with all defaults. */
  public static NewTopic named(String name) {
    return new NewTopic(name, DEFAULT, DEFAULT, Map.of(), Map.of());
  }

  /** The same with this number of partitions. */
  public NewTopic withPartitions(int number) {
    return new NewTopic(name, number, replicationFactor, assignments, configs);
  }

  /** The same with these configs. */
  public NewTopic withConfigs(Map<String, String> values) {
    return new NewTopic(name, partitions, replicationFactor, assignments, values);
  }
}
