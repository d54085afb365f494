package io.tidelog.topic;

import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * A topic that was created, or would have been.
 *
 * @param id its id; of a topic that was only checked, one that is not used
 * @param partitions number of partitions
 * @param configs the configs that are set on it
 */
public record CreatedTopic(Uuid id, int partitions, Map<String, String> configs) {
  /** There is one node. */
  public static final short REPLICATION_FACTOR = 1;

  public CreatedTopic {
    configs = Map.copyOf(configs);
  }
}
