package io.tidelog.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.GroupVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.StreamsVersion;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * The features whose levels stand in the metadata log. A new log gets the ones below; in a log that
 * somebody else began, what is there stays, and transactions keep the version that they have there.
 *
 * <p>{@code eligible.leader.replicas.version} stays away on purpose: with it Kafka would take our
 * stop for an unclean one and give no partition a leader.
 */
final class Features {
  private static final short VERSION = 0;

  private Features() {}

  static Change.Decision<Void> complete(MetadataImage image) {
    List<ApiMessageAndVersion> records = new ArrayList<>();
    boolean isNew = image.features().metadataVersion().isEmpty();
    if (isNew) {
      records.add(
          record(MetadataVersion.FEATURE_NAME, MetadataVersion.LATEST_PRODUCTION.featureLevel()));
    }
    Map<String, Short> levels = image.features().finalizedVersions();
    if (!levels.containsKey(GroupVersion.FEATURE_NAME)) {
      records.add(record(GroupVersion.FEATURE_NAME, GroupVersion.GV_1.featureLevel()));
    }
    if (!levels.containsKey(StreamsVersion.FEATURE_NAME)) {
      records.add(record(StreamsVersion.FEATURE_NAME, StreamsVersion.SV_1.featureLevel()));
    }
    if (isNew) {
      records.add(
          record(
              TransactionVersion.FEATURE_NAME,
              TransactionVersion.LATEST_PRODUCTION.featureLevel()));
    }
    return new Change.Decision<>(records, null);
  }

  private static ApiMessageAndVersion record(String name, short level) {
    return new ApiMessageAndVersion(
        new FeatureLevelRecord().setName(name).setFeatureLevel(level), VERSION);
  }
}
