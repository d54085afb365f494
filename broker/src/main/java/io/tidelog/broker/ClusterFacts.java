package io.tidelog.broker;

import io.tidelog.protocol.BrokerFacts;
import io.tidelog.topic.Topics;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.common.GroupVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.common.StreamsVersion;
import org.apache.kafka.server.common.TransactionVersion;

/** What ApiVersions answers say about this broker: who it is, and the features of its metadata. */
final class ClusterFacts implements BrokerFacts {
  private static final Map<String, FeatureRange> SUPPORTED =
      Map.of(
          MetadataVersion.FEATURE_NAME,
          new FeatureRange(
              MetadataVersion.MINIMUM_VERSION.featureLevel(),
              MetadataVersion.LATEST_PRODUCTION.featureLevel()),
          GroupVersion.FEATURE_NAME,
          new FeatureRange(GroupVersion.GV_0.featureLevel(), GroupVersion.GV_1.featureLevel()),
          StreamsVersion.FEATURE_NAME,
          new FeatureRange(StreamsVersion.SV_0.featureLevel(), StreamsVersion.SV_1.featureLevel()),
          TransactionVersion.FEATURE_NAME,
          new FeatureRange(
              TransactionVersion.TV_0.featureLevel(),
              TransactionVersion.LATEST_PRODUCTION.featureLevel()));

  private final Topics topics;

  ClusterFacts(Topics topics) {
    this.topics = topics;
  }

  @Override
  public String clusterId() {
    return topics.node().clusterId();
  }

  @Override
  public int nodeId() {
    return topics.node().nodeId();
  }

  @Override
  public Map<String, FeatureRange> supportedFeatures() {
    return SUPPORTED;
  }

  @Override
  public FinalizedFeatures finalizedFeatures() {
    MetadataImage image = topics.image();
    Map<String, Short> levels = new HashMap<>(image.features().finalizedVersions());
    image
        .features()
        .metadataVersion()
        .ifPresent(version -> levels.put(MetadataVersion.FEATURE_NAME, version.featureLevel()));
    return new FinalizedFeatures(levels, image.highestOffsetAndEpoch().offset());
  }
}
