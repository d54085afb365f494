package io.tidelog.topic;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Makes this node the leader of every partition at the start. A new leadership has a new leader
 * epoch. One is due where somebody else led before, and everywhere after an unclean stop: the last
 * records may be gone then, and by the new epoch a consumer that has read them finds out.
 *
 * @param nodeId this node
 * @param wasStoppedCleanly whether the logs end where they ended when they were last served
 */
record Leadership(int nodeId, boolean wasStoppedCleanly) {

  Change.Decision<Void> take(MetadataImage image) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    for (TopicImage topic : image.topics().topicsById().values()) {
      topic
          .partitions()
          .forEach(
              (index, partition) -> {
                if (isDue(partition)) {
                  records.add(record(image, topic.id(), index, partition));
                }
              });
    }
    return new Change.Decision<>(records, null);
  }

  private boolean isDue(PartitionRegistration partition) {
    return !wasStoppedCleanly || partition.leader != nodeId || !isInSync(partition);
  }

  private boolean isInSync(PartitionRegistration partition) {
    return partition.isr.length == 1 && partition.isr[0] == nodeId;
  }

  /** A stopped Kafka leaves partitions without a leader, some with nobody in sync. */
  private ApiMessageAndVersion record(
      MetadataImage image, Uuid topic, int index, PartitionRegistration partition) {
    PartitionChangeRecord change =
        new PartitionChangeRecord().setTopicId(topic).setPartitionId(index).setLeader(nodeId);
    if (!isInSync(partition)) {
      change.setIsr(List.of(nodeId));
    }
    if (partition.leaderRecoveryState != LeaderRecoveryState.RECOVERED) {
      change.setLeaderRecoveryState(LeaderRecoveryState.RECOVERED.value());
    }
    if (partition.elr.length > 0) {
      change.setEligibleLeaderReplicas(List.of());
    }
    if (partition.lastKnownElr.length > 0) {
      change.setLastKnownElr(List.of());
    }
    short version = image.features().metadataVersionOrThrow().partitionChangeRecordVersion();
    return new ApiMessageAndVersion(change, version);
  }
}
