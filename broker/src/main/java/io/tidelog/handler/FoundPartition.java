package io.tidelog.handler;

import io.tidelog.log.PartitionLog;
import io.tidelog.topic.Partition;
import io.tidelog.topic.Topic;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;

/**
 * The outcome of looking for the partition that a request names: a partition, or the error that
 * says why there is none.
 *
 * @param error NONE if there is a partition that the client may use
 * @param ifGone the error for a topic that is not there: it depends on how the request names it
 * @param topic the topic, null if it was not found
 * @param partition the partition, null if it was not found
 */
record FoundPartition(Errors error, Errors ifGone, Topic topic, Partition partition) {

  /** Looks by topic name. */
  static FoundPartition named(Topics topics, String topic, int partition) {
    Errors unknown = Errors.UNKNOWN_TOPIC_OR_PARTITION;
    return topics
        .find(topic)
        .map(known -> in(known, partition, unknown))
        .orElse(new FoundPartition(unknown, unknown, null, null));
  }

  /** Looks by topic id. */
  static FoundPartition identified(Topics topics, Uuid topicId, int partition) {
    Errors unknown = Errors.UNKNOWN_TOPIC_ID;
    return topics
        .find(topicId)
        .map(known -> in(known, partition, unknown))
        .orElse(new FoundPartition(unknown, unknown, null, null));
  }

  private static FoundPartition in(Topic topic, int partition, Errors ifGone) {
    return topic
        .partition(partition)
        .map(known -> new FoundPartition(Errors.NONE, ifGone, topic, known))
        .orElse(new FoundPartition(Errors.UNKNOWN_TOPIC_OR_PARTITION, ifGone, topic, null));
  }

  /** Whether there is a partition that the client may use. */
  boolean isUsable() {
    return error == Errors.NONE;
  }

  PartitionLog log() {
    return partition.log();
  }

  /**
   * This, or the error that the client's idea of the leader epoch calls for. A negative epoch means
   * that the client has none.
   */
  FoundPartition checkEpoch(int clientsLeaderEpoch) {
    if (!isUsable() || clientsLeaderEpoch < 0 || clientsLeaderEpoch == partition.leaderEpoch()) {
      return this;
    }
    return refused(
        clientsLeaderEpoch < partition.leaderEpoch()
            ? Errors.FENCED_LEADER_EPOCH
            : Errors.UNKNOWN_LEADER_EPOCH);
  }

  /** The same partition, not to be used because of this error. */
  FoundPartition refused(Errors why) {
    return new FoundPartition(why, ifGone, topic, partition);
  }
}
