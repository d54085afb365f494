package io.tidelog.checkpoint;

/**
 * A topic's name and a partition's number.
 *
 * @param topic the topic's name, 1 to 249 characters
 * @param partition from 0
 */
public record TopicPartition(String topic, int partition) {

  /** The name of the partition's folder. */
  public String folderName() {
    return topic + "-" + partition;
  }

  @Override
  public String toString() {
    return folderName();
  }
}
