package io.tidelog.checkpoint;

import java.util.Optional;

/**
 * A topic's name and a partition's number. Only legal names can be made, so that a folder name
 * built from one always lies inside its data directory.
 *
 * @param topic 1 to 249 of the characters a–z, A–Z, 0–9, dot, underscore and dash; neither "." nor
 *     ".."
 * @param partition from 0
 */
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
  private static final int MAX_TOPIC_CHARS = 249;

  public TopicPartition {
    problemWithTopic(topic)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
    if (partition < 0) {
      throw new IllegalArgumentException("partition " + partition + " is below 0");
    }
  }

  /** What is wrong with a topic name, as a sentence; empty if it is legal. */
  public static Optional<String> problemWithTopic(String name) {
    if (name.isEmpty()) {
      return Optional.of("a topic name may not be empty");
    }
    if (name.length() > MAX_TOPIC_CHARS) {
      return Optional.of(
          "a topic name has at most %d characters, this one has %d"
              .formatted(MAX_TOPIC_CHARS, name.length()));
    }
    if (name.equals(".") || name.equals("..")) {
      return Optional.of("a topic name may not be \"" + name + "\"");
    }
    return name.chars().allMatch(TopicPartition::isLegal)
        ? Optional.empty()
        : Optional.of(
            "topic name \"" + name + "\" has a character other than a-z, A-Z, 0-9, '.', '_', '-'");
  }

  private static boolean isLegal(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }

  /** The name of the partition's folder. */
  public String folderName() {
    return topic + "-" + partition;
  }

  @Override
  public int compareTo(TopicPartition other) {
    int byTopic = topic.compareTo(other.topic);
    return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
  }

  // Written out because Java would make them at their first call, in some milliseconds.

  @Override
  public boolean equals(Object other) {
    return other instanceof TopicPartition that
        && partition == that.partition
        && topic.equals(that.topic);
  }

  @Override
  public int hashCode() {
    return 31 * topic.hashCode() + partition;
  }

  @Override
  public String toString() {
    return folderName();
  }
}
