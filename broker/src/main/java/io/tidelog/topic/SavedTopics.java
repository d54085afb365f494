package io.tidelog.topic;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.log.LogSettings;
import io.tidelog.verify.TopicCatalog;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;

/** What the metadata log of a directory says of topics, for a check of their files. */
final class SavedTopics implements TopicCatalog {
  private final MetadataImage image;
  private final Set<Uuid> deleted;
  private final SavedConfigs configs;

  /**
   * @param deleted the ids of topics that the log deletes
   * @param configs those of the same image
   */
  SavedTopics(MetadataImage image, Set<Uuid> deleted, SavedConfigs configs) {
    this.image = image;
    this.deleted = Set.copyOf(deleted);
    this.configs = configs;
  }

  @Override
  public Optional<TopicFacts> find(String topic) {
    return Optional.ofNullable(image.topics().getTopic(topic)).map(this::facts);
  }

  @Override
  public boolean wasDeleted(TopicId id) {
    return deleted.contains(Ids.uuid(id));
  }

  /**
   * The server's own settings are not in the log: they count as their defaults. Where the engine
   * allows not all of a topic's configs, it counts as compacted, so that no hole is taken for loss.
   */
  private TopicFacts facts(TopicImage topic) {
    TopicId id = Ids.topicId(topic.id());
    int partitions = topic.partitions().size();
    try {
      LogSettings settings = configs.of(topic.name(), Map.of(), Map.of());
      Cleanup cleanup = settings.compacts() ? Cleanup.COMPACT : Cleanup.DELETE;
      return new TopicFacts(id, partitions, cleanup, settings.indexIntervalBytes());
    } catch (IllegalArgumentException notAllowedHere) {
      return new TopicFacts(
          id, partitions, Cleanup.COMPACT, LogSettings.DEFAULTS.indexIntervalBytes());
    }
  }
}
