package io.tidelog.topic;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.GroupVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.StreamsVersion;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * The features whose levels stand in the metadata log. A new log gets the ones below; in a log that
 * somebody else began, or formatted, what is there stays, and transactions keep the version that
 * they have there.
 *
 * <p>{@code eligible.leader.replicas.version} stays away on purpose: with it Kafka would take the
 * first start on a log of ours for one after an unclean stop, and give no partition a leader.
 */
final class Features {
  private static final short VERSION = 0;

  private Features() {}

  /**
   * What a log begins with.
   *
   * @param bootstrap what it should begin with by the wish of who formatted it; may be empty
   */
  static Change.Decision<Void> begin(MetadataImage image, List<ApiMessageAndVersion> bootstrap) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    if (image.features().metadataVersion().isEmpty()) {
      records.addAll(bootstrap.isEmpty() ? ours() : bootstrap);
    }
    return new Change.Decision<>(records, null);
  }

  private static List<ApiMessageAndVersion> ours() {
    return List.of(
        record(MetadataVersion.FEATURE_NAME, MetadataVersion.LATEST_PRODUCTION.featureLevel()),
        record(GroupVersion.FEATURE_NAME, GroupVersion.GV_1.featureLevel()),
        record(StreamsVersion.FEATURE_NAME, StreamsVersion.SV_1.featureLevel()),
        record(
            TransactionVersion.FEATURE_NAME, TransactionVersion.LATEST_PRODUCTION.featureLevel()));
  }

  private static ApiMessageAndVersion record(String name, short level) {
    return new ApiMessageAndVersion(
        new FeatureLevelRecord().setName(name).setFeatureLevel(level), VERSION);
  }

  /**
   * @throws IllegalArgumentException if Kafka 4.4.0 does not know this feature at this level
   */
  static void check(FeatureLevelRecord record) {
    short level = record.featureLevel();
    if (record.name().equals(MetadataVersion.FEATURE_NAME)) {
      require(
          record,
          MetadataVersion.MINIMUM_VERSION.featureLevel() <= level
              && level <= MetadataVersion.LATEST_PRODUCTION.featureLevel(),
          "%d to %d"
              .formatted(
                  MetadataVersion.MINIMUM_VERSION.featureLevel(),
                  MetadataVersion.LATEST_PRODUCTION.featureLevel()));
    } else if (level != 0) {
      short highest =
          Feature.PRODUCTION_FEATURES.stream()
              .filter(feature -> feature.featureName().equals(record.name()))
              .map(Feature::latestProduction)
              .findFirst()
              .orElse((short) 0);
      require(record, level <= highest, "at most " + highest);
    }
  }

  private static void require(FeatureLevelRecord record, boolean isKnown, String expected) {
    if (!isKnown) {
      throw new IllegalArgumentException(
          "%s is at level %d, expected %s"
              .formatted(record.name(), record.featureLevel(), expected));
    }
  }
}
