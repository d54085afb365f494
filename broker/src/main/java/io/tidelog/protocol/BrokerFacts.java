package io.tidelog.protocol;

import java.util.Map;

/**
 * What an ApiVersions answer says about the broker besides its APIs. Asked anew for every answer,
 * on an event loop: it must not wait.
 */
public interface BrokerFacts {

  String clusterId();

  int nodeId();

  /** The feature levels that this broker can work at, by feature name. */
  Map<String, FeatureRange> supportedFeatures();

  /**
   * The feature levels in force, by feature name, and the metadata offset at which they were last
   * set.
   */
  FinalizedFeatures finalizedFeatures();

  /** Lowest and highest level of a feature. */
  record FeatureRange(short lowest, short highest) {}

  /** Feature levels in force as of {@code epoch}; level 0 means that the feature is off. */
  record FinalizedFeatures(Map<String, Short> levels, long epoch) {}
}
