package io.tidelog.topic;

import io.tidelog.checkpoint.MetaProperties;
import io.tidelog.disk.Disk;
import io.tidelog.log.LogSettings;
import io.tidelog.verify.TopicCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.image.MetadataImage;

/**
 * The configs that the metadata log of a directory holds, for tools that look at its files. Nothing
 * is changed, and a broker may be at work there.
 */
public final class SavedConfigs {
  private final MetadataImage image;
  private final Set<Uuid> deleted;
  private final int nodeId;

  private SavedConfigs(MetadataImage image, Set<Uuid> deleted, int nodeId) {
    this.image = image;
    this.deleted = deleted;
    this.nodeId = nodeId;
  }

  /**
   * Those of a data directory.
   *
   * @return empty if it has no metadata log
   * @throws IOException if that cannot be read or understood
   */
  public static Optional<SavedConfigs> read(Disk disk, Path dataDirectory) throws IOException {
    MetadataFolder folder =
        new MetadataFolder(
            disk,
            dataDirectory.resolve(
                MetadataLog.PARTITION.topic() + "-" + MetadataLog.PARTITION.partition()));
    if (!disk.isDirectory(folder.path())) {
      return Optional.empty();
    }
    int nodeId = MetaProperties.read(disk, dataDirectory).map(MetaProperties::nodeId).orElse(0);
    MetadataReplay replay = folder.read();
    return Optional.of(new SavedConfigs(replay.image(), replay.deleted(), nodeId));
  }

  /** No configs at all. */
  public static SavedConfigs none() {
    return new SavedConfigs(MetadataImage.EMPTY, Set.of(), 0);
  }

  /** What the same metadata log says of topics. */
  public TopicCatalog catalog() {
    return new SavedTopics(image, deleted, this);
  }

  /**
   * The engine's settings for a topic.
   *
   * @param serverSettings what is set for the server at its start, by server-level name
   * @param whatIf values that go before all others, by topic-level name
   * @throws IllegalArgumentException if the engine does not allow a value
   */
  public LogSettings of(
      String topic, Map<String, String> serverSettings, Map<String, String> whatIf) {
    if (topic.equals(MetadataLog.PARTITION.topic())) {
      return new ServerSettings(serverSettings).metadataLog();
    }
    ConfigurationsImage configs = image.configs();
    Map<String, String> own =
        new TreeMap<>(configs.configMapForResource(ConfigLookup.topic(topic)));
    own.putAll(whatIf);
    return new ConfigLookup(serverSettings, nodeId).logSettings(configs, own);
  }
}
