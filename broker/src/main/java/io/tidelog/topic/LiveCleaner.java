package io.tidelog.topic;

import io.tidelog.store.CleanerSettings;
import io.tidelog.store.Compactor;
import org.apache.kafka.image.ConfigurationsImage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has the compactor go by the configs of this broker as they are altered. */
final class LiveCleaner {
  private static final Logger LOG = LoggerFactory.getLogger(LiveCleaner.class);

  private final Compactor compactor;
  private final ConfigLookup configs;
  private CleanerSettings current;

  /**
   * @param compactor goes by the settings that were given at the start
   */
  LiveCleaner(Compactor compactor, ConfigLookup configs) {
    this.compactor = compactor;
    this.configs = configs;
    this.current = CleanerConfigs.settings(configs.serverValues(ConfigurationsImage.EMPTY));
  }

  /** Follows what the metadata log has now. */
  void follow(ConfigurationsImage image) {
    CleanerSettings wanted;
    try {
      wanted = CleanerConfigs.settings(configs.serverValues(image));
    } catch (IllegalArgumentException notOurs) {
      LOG.warn("Compaction goes on as before: {}", notOurs.getMessage());
      return;
    }
    if (!wanted.equals(current)) {
      compactor.goBy(wanted);
      current = wanted;
    }
  }
}
