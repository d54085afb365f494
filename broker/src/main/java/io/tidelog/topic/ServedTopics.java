package io.tidelog.topic;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.store.LogStore;
import io.tidelog.store.NewPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topics with their open logs. Lookups from any thread; changed by one. */
final class ServedTopics {
  private static final Logger LOG = LoggerFactory.getLogger(ServedTopics.class);

  /** A folder in which nothing was ever written has files with these endings alone. */
  private static final List<String> NEW_FILES =
      List.of(
          SegmentFiles.LOG,
          SegmentFiles.OFFSET_INDEX,
          SegmentFiles.TIME_INDEX,
          "partition.metadata",
          "leader-epoch-checkpoint",
          ".tmp");

  private final LogStore store;
  private final Disk disk;
  private final Map<String, Topic> byName = new ConcurrentHashMap<>();
  private final Map<Uuid, Topic> byId = new ConcurrentHashMap<>();

  ServedTopics(LogStore store, Disk disk) {
    this.store = store;
    this.disk = disk;
  }

  Optional<Topic> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  Optional<Topic> find(Uuid id) {
    return Optional.ofNullable(byId.get(id));
  }

  Collection<Topic> all() {
    return List.copyOf(byName.values());
  }

  /** Whether another topic has this name, which is to be deleted before. */
  boolean isTaken(TopicImage image) {
    Topic other = byName.get(image.name());
    return other != null && !other.id().equals(image.id());
  }

  /** What the store lacks of a topic, to be created with these settings. */
  List<NewPartition> missing(TopicImage image, LogSettings settings) throws IOException {
    List<NewPartition> missing = new ArrayList<>();
    for (int index = 0; index < image.partitions().size(); index++) {
      TopicPartition name = new TopicPartition(image.name(), index);
      if (existing(name, image.id()).isEmpty()) {
        missing.add(new NewPartition(name, Ids.topicId(image.id()), settings));
      }
    }
    return missing;
  }

  /**
   * Creates logs, but shows nothing yet.
   *
   * @throws IOException if one cannot be created; then none is
   */
  void create(List<NewPartition> missing) throws IOException {
    if (!missing.isEmpty()) {
      store.createAll(missing);
    }
  }

  /** Deletes logs that nobody has seen. */
  void takeBack(List<NewPartition> missing) {
    List<TopicPartition> created = missing.stream().map(NewPartition::partition).toList();
    try {
      store.deleteAll(created);
    } catch (IOException e) {
      LOG.warn(
          "{} were to be created and could not be removed again: {}. It is tried again",
          created,
          e.getMessage());
    }
  }

  /**
   * Serves a topic as the image has it: opens its logs with these settings, and creates those that
   * the store lacks.
   *
   * @throws IOException if a log cannot be created; then none is, and what was served before stays
   */
  void serve(TopicImage image, LogSettings settings) throws IOException {
    create(missing(image, settings));
    for (int index = 0; index < image.partitions().size(); index++) {
      store.find(new TopicPartition(image.name(), index)).ifPresent(log -> log.apply(settings));
    }
    show(image);
  }

  private void show(TopicImage image) {
    List<Partition> partitions = new ArrayList<>();
    for (int index = 0; index < image.partitions().size(); index++) {
      PartitionLog log = store.find(new TopicPartition(image.name(), index)).orElseThrow();
      partitions.add(new Partition(index, epoch(image.partitions().get(index), log), log));
    }
    Topic topic = new Topic(image.name(), image.id(), partitions);
    byId.put(topic.id(), topic);
    byName.put(topic.name(), topic);
  }

  /** The log of this partition; a log that only has its name is put out of the way. */
  private Optional<PartitionLog> existing(TopicPartition name, Uuid id) throws IOException {
    Optional<PartitionLog> found = store.find(name);
    if (found.isEmpty() || found.get().topicId().equals(Ids.topicId(id))) {
      return found;
    }
    PartitionLog other = found.get();
    if (isUnfinished(other)) {
      LOG.info("{} is what an interrupted creation left: created anew", other.directory());
      store.delete(name);
    } else {
      Path aside = store.setAside(other);
      LOG.warn(
          "{} has topic id {}, but {} has {}: kept as {}",
          other.directory(),
          other.topicId(),
          name.topic(),
          id,
          aside);
    }
    return Optional.empty();
  }

  /**
   * Whether a log was created for a topic that never came to be: nothing was ever written to it,
   * and nothing is kept beside it.
   */
  private boolean isUnfinished(PartitionLog log) throws IOException {
    return log.view().end() == 0
        && log.latestEpoch() < 0
        && disk.list(log.directory()).stream()
            .allMatch(name -> NEW_FILES.stream().anyMatch(name::endsWith));
  }

  /** Never below an epoch that the log has seen. */
  private static int epoch(PartitionRegistration registration, PartitionLog log) {
    return Math.max(registration.leaderEpoch, log.latestEpoch());
  }

  /** Gives a served topic's logs other settings. */
  void configure(Topic topic, LogSettings settings) {
    topic.partitions().forEach(partition -> partition.log().apply(settings));
  }

  /**
   * Takes topics out of service and deletes their logs. They are gone even where the disk refuses
   * that: then the store tries again, and so does the next start.
   *
   * @return those that were served
   */
  List<Topic> remove(Set<Uuid> ids) {
    List<Topic> removed = ids.stream().map(byId::remove).filter(Objects::nonNull).toList();
    removed.forEach(topic -> byName.remove(topic.name(), topic));
    try {
      store.deleteAll(
          removed.stream()
              .flatMap(topic -> topic.partitions().stream())
              .map(partition -> partition.log().topicPartition())
              .toList());
    } catch (IOException e) {
      LOG.error(
          "{} is deleted, but not yet its files: {}",
          removed.stream().map(Topic::name).collect(Collectors.joining(", ")),
          e.getMessage());
    }
    return removed;
  }

  /** Deletes the logs of deleted topics, which a crash may have left behind. */
  void finishDeletions(Set<Uuid> deleted) throws IOException {
    for (PartitionLog log : List.copyOf(store.partitions())) {
      if (deleted.contains(Ids.uuid(log.topicId()))) {
        LOG.info(
            "{} is of a topic that was deleted before the last stop: deleted", log.directory());
        store.delete(log.topicPartition());
      }
    }
  }

  /**
   * Says which logs belong to no topic. They stay as they are and are not served; what an
   * interrupted creation left goes.
   */
  void reportStrays() throws IOException {
    for (PartitionLog log : List.copyOf(store.partitions())) {
      boolean isServed = byId.containsKey(Ids.uuid(log.topicId()));
      if (isServed || log.topicPartition().equals(MetadataLog.PARTITION)) {
        continue;
      }
      if (isUnfinished(log)) {
        LOG.info("{} is what an interrupted creation left: deleted", log.directory());
        store.delete(log.topicPartition());
      } else {
        LOG.warn(
            "{} has topic id {}, which the metadata log does not know: kept, not served",
            log.directory(),
            log.topicId());
      }
    }
  }
}
