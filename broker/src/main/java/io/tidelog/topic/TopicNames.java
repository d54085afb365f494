package io.tidelog.topic;

import java.util.Collection;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;

/**
 * Which names a new topic may have: Kafka's rules. A name is 1 to 249 of the characters {@code a-z
 * A-Z 0-9 . _ -}, and neither "." nor "..", so that the folder of a partition is always a child of
 * the data directory. Names that differ only in "." and "_" collide, because metrics cannot tell
 * them apart. The name of the metadata log is taken: a topic of that name would put the log of all
 * topics out of its place.
 */
final class TopicNames {
  private TopicNames() {}

  /**
   * @throws InvalidTopicException if no topic can have this name
   */
  static void check(String name) {
    Topic.validate(name);
    if (name.equals(Topic.CLUSTER_METADATA_TOPIC_NAME)) {
      throw new InvalidTopicException(
          "Topic '" + name + "' holds the metadata log and cannot be created.");
    }
  }

  /**
   * @throws InvalidTopicException if the name collides with one that is taken, naming it
   */
  static void checkCollision(String name, Collection<String> taken) {
    if (!Topic.hasCollisionChars(name)) {
      return;
    }
    for (String other : taken) {
      if (Topic.hasCollision(name, other)) {
        throw new InvalidTopicException(
            "Topic '"
                + name
                + "' collides with existing topic: "
                + other
                + " (names that differ only in '.' and '_' are one name in metrics)");
      }
    }
  }
}
