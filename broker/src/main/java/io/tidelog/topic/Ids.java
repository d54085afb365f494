package io.tidelog.topic;

import io.tidelog.checkpoint.TopicId;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.Uuid;

/** Ids of topics, directories and clusters: new ones, and the engine's form of Kafka's. */
final class Ids {
  private Ids() {}

  /**
   * A new random id (version 4, as Kafka's are, so that it cannot be one of the few that Kafka
   * reserves). Its text never starts with a dash, which command lines take for an option.
   */
  static Uuid next(RandomGenerator random) {
    while (true) {
      long high = (random.nextLong() & ~0xF000L) | 0x4000L;
      long low = (random.nextLong() >>> 2) | (0b10L << 62);
      Uuid id = new Uuid(high, low);
      if (!id.toString().startsWith("-")) {
        return id;
      }
    }
  }

  static TopicId topicId(Uuid id) {
    return new TopicId(id.getMostSignificantBits(), id.getLeastSignificantBits());
  }

  static Uuid uuid(TopicId id) {
    return new Uuid(id.high(), id.low());
  }
}
