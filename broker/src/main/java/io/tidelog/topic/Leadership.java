package io.tidelog.topic;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
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
                  records.add(record(image, topic, index));
                }
              });
    }
    return new Change.Decision<>(records, null);
  }

  private boolean isDue(PartitionRegistration partition) {
    return !wasStoppedCleanly || partition.leader != nodeId;
  }

  private ApiMessageAndVersion record(MetadataImage image, TopicImage topic, int partition) {
    PartitionChangeRecord change =
        new PartitionChangeRecord()
            .setTopicId(topic.id())
            .setPartitionId(partition)
            .setLeader(nodeId);
    short version = image.features().metadataVersionOrThrow().partitionChangeRecordVersion();
    return new ApiMessageAndVersion(change, version);
  }
}
