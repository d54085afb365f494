package io.tidelog.log;

import java.util.Map;

/** Skeleton: the settings of one log under Kafka's topic-level names; immutable. */
public final class LogSettings {
  public static final LogSettings DEFAULTS = new LogSettings();

  private LogSettings() {}

  /**
   * Settings from Kafka's topic-level names (`segment.bytes`, `retention.ms`, …) and
   * `tidelog.durability`.
   *
   * @throws IllegalArgumentException naming an unknown name or a value out of bounds
   */
  public static LogSettings of(Map<String, String> values) {
    return DEFAULTS;
  }
}
