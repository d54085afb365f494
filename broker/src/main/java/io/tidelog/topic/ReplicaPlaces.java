package io.tidelog.topic;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.PartitionLog;
import io.tidelog.store.LogStore;
import io.tidelog.store.MovingLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.DirectoryId;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In which data directories this node's partitions lie. The store decides and moves; the metadata
 * log is told afterwards, and at the next start if that was too late.
 */
public final class ReplicaPlaces {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaPlaces.class);

  private final LogStore store;
  private final ChangeLine line;
  private final NodeIdentity node;

  ReplicaPlaces(LogStore store, ChangeLine line, NodeIdentity node) {
    this.store = store;
    this.line = line;
    this.node = node;
  }

  NodeIdentity node() {
    return node;
  }

  /** The data directory with this name: as in Kafka only its absolute path counts. */
  public Optional<Path> directory(String absolutePath) {
    return store.directories().stream()
        .filter(path -> path.toAbsolutePath().toString().equals(absolutePath))
        .findFirst();
  }

  /**
   * Moves a partition to another data directory. Returns when the move has been accepted.
   *
   * @see LogStore#move
   */
  public void move(TopicPartition partition, Path directory) {
    store.move(partition, directory, () -> arrived(partition));
  }

  private void arrived(TopicPartition partition) {
    store
        .find(partition)
        .ifPresent(log -> LOG.info("{} lies in {} now", partition, log.directory()));
    line.submit(image -> told(image, partition))
        .exceptionally(
            failure -> {
              LOG.warn(
                  "The metadata log does not say yet where {} lies: {}",
                  partition,
                  failure.getMessage());
              return null;
            });
  }

  /** Remembers where a partition is to be created, if it ever is. */
  public void place(TopicPartition partition, Path directory) {
    store.place(partition, directory);
  }

  /** The partitions that are on their way. */
  public Collection<MovingLog> moving() {
    return store.moving();
  }

  private Change.Decision<Void> told(MetadataImage image, TopicPartition partition) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    TopicImage topic = image.topics().getTopic(partition.topic());
    if (topic != null && topic.partitions().containsKey(partition.partition())) {
      record(image, topic, partition.partition()).ifPresent(records::add);
    }
    return new Change.Decision<>(records, null);
  }

  /** Corrects what the metadata log says of partitions that lie in another directory. */
  Change.Decision<Void> correct(MetadataImage image) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    for (TopicImage topic : image.topics().topicsById().values()) {
      topic
          .partitions()
          .forEach(
              (index, partition) -> {
                if (!DirectoryId.reserved(recorded(partition))) {
                  record(image, topic, index).ifPresent(records::add);
                }
              });
    }
    return new Change.Decision<>(records, null);
  }

  private Uuid recorded(PartitionRegistration partition) {
    int at = position(partition);
    return at < 0 ? DirectoryId.UNASSIGNED : partition.directories[at];
  }

  private int position(PartitionRegistration partition) {
    for (int i = 0; i < partition.replicas.length; i++) {
      if (partition.replicas[i] == node.nodeId()) {
        return i;
      }
    }
    return -1;
  }

  /** Empty if the metadata log says so already, or cannot. */
  private Optional<ApiMessageAndVersion> record(MetadataImage image, TopicImage topic, int index) {
    PartitionRegistration partition = topic.partitions().get(index);
    Optional<PartitionLog> log = store.find(new TopicPartition(topic.name(), index));
    MetadataVersion version = image.features().metadataVersionOrThrow();
    int at = position(partition);
    if (log.isEmpty() || at < 0 || !version.isDirectoryAssignmentSupported()) {
      return Optional.empty();
    }
    Uuid here = node.directoryIds().get(log.get().directory().getParent());
    if (here == null || here.equals(partition.directories[at])) {
      return Optional.empty();
    }
    Uuid[] directories = partition.directories.clone();
    directories[at] = here;
    return Optional.of(
        new ApiMessageAndVersion(
            new PartitionChangeRecord()
                .setTopicId(topic.id())
                .setPartitionId(index)
                .setDirectories(Arrays.asList(directories)),
            version.partitionChangeRecordVersion()));
  }
}
