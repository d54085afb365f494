package io.tidelog.topic;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/**
 * A topic at one moment. Its name and id never change; its partitions can only become more.
 *
 * @param name 1 to 249 characters
 * @param id unique among all topics that ever were
 * @param partitions in order, from 0 without gaps
 */
public record Topic(String name, Uuid id, List<Partition> partitions) {
  public Topic {
    partitions = List.copyOf(partitions);
  }

  public int partitionCount() {
    return partitions.size();
  }

  /** The partition of this number, if the topic has it. */
  public Optional<Partition> partition(int index) {
    return index >= 0 && index < partitions.size()
        ? Optional.of(partitions.get(index))
        : Optional.empty();
  }

  /**
   * Whether this is one of Kafka's own topics ({@code __consumer_offsets}, …): clients may not
   * write to it.
   */
  public boolean isInternal() {
    return org.apache.kafka.common.internals.Topic.isInternal(name);
  }
}
