package io.tidelog.topic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.common.errors.InvalidUpdateVersionException;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.image.FeaturesImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A wish for other feature levels: all of them change or none does.
 *
 * @param steps by feature
 * @param supported the levels that this broker can work at, by feature; it can do without the
 *     others
 */
public record FeatureUpdate(Map<String, Step> steps, Map<String, Range> supported) {
  private static final Range OFF = new Range((short) 0, (short) 0);

  public FeatureUpdate {
    steps = Map.copyOf(steps);
    supported = Map.copyOf(supported);
  }

  /**
   * What is wanted of one feature.
   *
   * @param level the wanted level
   * @param type whether a lower one is acceptable
   */
  public record Step(short level, UpgradeType type) {}

  /** Lowest and highest level of a feature. */
  public record Range(short lowest, short highest) {
    boolean contains(short level) {
      return lowest <= level && level <= highest;
    }
  }

  Change.Decision<Void> decide(FeaturesImage current) {
    Map<String, Short> proposed = new HashMap<>(current.finalizedVersions());
    proposed.put(MetadataVersion.FEATURE_NAME, current.metadataVersionOrThrow().featureLevel());
    Map<String, Short> before = Map.copyOf(proposed);
    steps.forEach((name, step) -> proposed.put(name, step.level));
    List<ApiMessageAndVersion> records = new ArrayList<>();
    steps.forEach(
        (name, step) -> {
          check(name, step, before.getOrDefault(name, (short) 0));
          if (name.equals(MetadataVersion.FEATURE_NAME)) {
            checkMetadata(current.metadataVersionOrThrow(), step.level);
          } else {
            checkDependencies(name, step.level, proposed);
          }
          if (!name.equals(KRaftVersion.FEATURE_NAME)) {
            records.add(record(name, step.level));
          }
        });
    return new Change.Decision<>(records, null);
  }

  private void check(String name, Step step, short before) {
    if (step.type == UpgradeType.UNKNOWN) {
      throw invalid(name, step.level, "The controller does not support the given upgrade type.");
    }
    if (step.level < 0) {
      throw invalid(name, step.level, "A feature version cannot be less than 0.");
    }
    Range range = supported.getOrDefault(name, OFF);
    if (!range.contains(step.level)) {
      throw invalid(
          name,
          step.level,
          range.equals(OFF)
              ? "This broker does not support this feature."
              : "This broker only supports versions " + range.lowest + "-" + range.highest + ".");
    }
    boolean isUpgrade = step.type == UpgradeType.UPGRADE;
    if (step.level < before && isUpgrade) {
      throw invalid(
          name,
          step.level,
          "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe downgrade.");
    }
    if (step.level > before && !isUpgrade) {
      throw invalid(name, step.level, "Can't downgrade to a newer version.");
    }
  }

  /** Records that are in the metadata log must stay legible at the lower level. */
  private static void checkMetadata(MetadataVersion before, short level) {
    MetadataVersion wanted = MetadataVersion.fromFeatureLevel(level);
    if (wanted.isLessThan(before) && MetadataVersion.checkIfMetadataChanged(before, wanted)) {
      throw new InvalidUpdateVersionException(
          "Unsupported metadata.version downgrade from "
              + before.featureLevel()
              + " to "
              + level
              + ". Refusing to perform the requested downgrade because it might delete metadata information.");
    }
  }

  private static void checkDependencies(String name, short level, Map<String, Short> proposed) {
    try {
      Feature.validateVersion(
          Feature.featureFromName(name).fromFeatureLevel(level, true), proposed);
    } catch (IllegalArgumentException e) {
      throw invalid(name, level, e.getMessage());
    }
  }

  private static InvalidUpdateVersionException invalid(String name, short level, String why) {
    return new InvalidUpdateVersionException(
        "Invalid update version %d for feature %s. %s".formatted(level, name, why));
  }

  private static ApiMessageAndVersion record(String name, short level) {
    return new ApiMessageAndVersion(
        new FeatureLevelRecord().setName(name).setFeatureLevel(level), (short) 0);
  }
}
