package io.tidelog.topic;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.store.LogStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.TopicImage;
import org.apache.kafka.metadata.PartitionRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topics with their open logs. Lookups from any thread; changed by one. */
final class ServedTopics {
  private static final Logger LOG = LoggerFactory.getLogger(ServedTopics.class);

  private final LogStore store;
  private final Map<String, Topic> byName = new ConcurrentHashMap<>();
  private final Map<Uuid, Topic> byId = new ConcurrentHashMap<>();

  ServedTopics(LogStore store) {
    this.store = store;
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

  /**
   * Serves a topic as the image has it: opens its logs with these settings, and creates those that
   * the store lacks.
   *
   * @throws IOException if a log cannot be created; then none is, and what was served before stays
   */
  void serve(TopicImage image, LogSettings settings) throws IOException {
    List<TopicPartition> missing = new ArrayList<>();
    for (int index = 0; index < image.partitions().size(); index++) {
      TopicPartition name = new TopicPartition(image.name(), index);
      Optional<PartitionLog> existing = existing(name, image.id());
      existing.ifPresent(log -> log.apply(settings));
      if (existing.isEmpty()) {
        missing.add(name);
      }
    }
    create(missing, image.id(), settings);
    show(image);
  }

  private void create(List<TopicPartition> missing, Uuid id, LogSettings settings)
      throws IOException {
    if (missing.isEmpty()) {
      return;
    }
    try {
      store.createAll(missing, Ids.topicId(id), settings);
    } catch (IOException e) {
      try {
        store.deleteAll(missing);
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
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

  /** Whether a log was created up to the file with its topic's id, and no further. */
  private static boolean isUnfinished(PartitionLog log) {
    return log.topicId().equals(TopicId.ZERO) && log.view().end() == 0;
  }

  /** Never below an epoch that the log has seen. */
  private static int epoch(PartitionRegistration registration, PartitionLog log) {
    return Math.max(registration.leaderEpoch, log.latestEpoch());
  }

  /** Gives a served topic's logs other settings. */
  void configure(Topic topic, LogSettings settings) {
    topic.partitions().forEach(partition -> partition.log().apply(settings));
  }

  /** Takes a topic out of service and deletes its logs; empty if it was not served. */
  Optional<Topic> remove(Uuid id) throws IOException {
    Topic topic = byId.remove(id);
    if (topic == null) {
      return Optional.empty();
    }
    byName.remove(topic.name(), topic);
    store.deleteAll(
        topic.partitions().stream().map(partition -> partition.log().topicPartition()).toList());
    return Optional.of(topic);
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
