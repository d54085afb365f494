package io.tidelog.topic;

import java.util.List;
import java.util.Map;

/**
 * A wish for a topic.
 *
 * @param name any string; checked by the rules for names
 * @param partitions number of partitions, or {@link #DEFAULT} for num.partitions
 * @param replicationFactor 1 or {@link #DEFAULT}: there is one node
 * @param assignments where the partitions are to be, if the wish says so; else empty
 * @param configs topic-level configs; a null value is refused
 */
public record NewTopic(
    String name,
    int partitions,
    int replicationFactor,
    List<Assignment> assignments,
    Map<String, String> configs) {
  public static final int DEFAULT = -1;

  /**
   * Where a partition is to be.
   *
   * @param partition its number
   * @param nodes the nodes that are to hold it, the leader first
   */
  public record Assignment(int partition, List<Integer> nodes) {}

  /** A topic with all defaults. */
  public static NewTopic named(String name) {
    return new NewTopic(name, DEFAULT, DEFAULT, List.of(), Map.of());
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
