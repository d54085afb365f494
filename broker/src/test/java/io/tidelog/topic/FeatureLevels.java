package io.tidelog.topic;

import io.tidelog.disk.NioDisk;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreEvents;
import io.tidelog.store.StoreSettings;
import io.tidelog.store.Surroundings;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/** Sets the levels of features in the metadata log of a directory that no broker uses. */
public final class FeatureLevels {
  private FeatureLevels() {}

  /** Puts a feature at a level, in a directory that a broker has used. */
  public static void set(Path directory, String feature, int level) throws IOException {
    SimClock clock = new SimClock();
    Surroundings around =
        new Surroundings(
            new NioDisk(),
            clock,
            new SplittableRandom(1),
            new TestTopics.Still(),
            StoreEvents.SILENT);
    try (LogStore store = LogStore.open(List.of(directory), StoreSettings.DEFAULTS, around)) {
      MetadataLog log = MetadataLog.open(store, around, new ServerSettings(Map.of()));
      log.append(
          List.of(
              new ApiMessageAndVersion(
                  new FeatureLevelRecord().setName(feature).setFeatureLevel((short) level),
                  (short) 0)));
      log.flush();
    }
  }
}
