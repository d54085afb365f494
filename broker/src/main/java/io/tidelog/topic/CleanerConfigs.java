package io.tidelog.topic;

import io.tidelog.store.CleanerSettings;
import java.util.Map;
import java.util.Set;

/** The settings of compaction under Kafka's names. */
public final class CleanerConfigs {
  static final String THREADS = "log.cleaner.threads";
  static final String KEY_BYTES = "log.cleaner.dedupe.buffer.size";
  private static final String ENABLE = "log.cleaner.enable";
  private static final String KEY_LOAD = "log.cleaner.io.buffer.load.factor";
  private static final String WRITE_BYTES = "log.cleaner.io.buffer.size";
  private static final String RATE = "log.cleaner.io.max.bytes.per.second";
  private static final String BACKOFF_MS = "log.cleaner.backoff.ms";

  /** Those that may be altered while the broker runs. */
  static final Set<String> ALTERABLE =
      Set.of(THREADS, KEY_BYTES, KEY_LOAD, WRITE_BYTES, RATE, BACKOFF_MS);

  private static final CleanerSettings DEFAULTS = CleanerSettings.DEFAULTS;

  private CleanerConfigs() {}

  /**
   * The settings that these values make; what is not among them has its default.
   *
   * @throws IllegalArgumentException if the engine does not allow a value
   */
  public static CleanerSettings settings(Map<String, String> values) {
    boolean isOnRequest = !Boolean.parseBoolean(values.getOrDefault(ENABLE, "true"));
    return new CleanerSettings(
        isOnRequest ? CleanerSettings.Schedule.ON_REQUEST : CleanerSettings.Schedule.WHEN_DUE,
        (int) number(values, THREADS, DEFAULTS.threads()),
        number(values, KEY_BYTES, DEFAULTS.keyBytes()),
        real(values, KEY_LOAD, DEFAULTS.keyLoad()),
        (int) number(values, WRITE_BYTES, DEFAULTS.writeBytes()),
        real(values, RATE, DEFAULTS.maxBytesPerSecond()),
        number(values, BACKOFF_MS, DEFAULTS.backoffMs()));
  }

  private static long number(Map<String, String> values, String name, long byDefault) {
    String text = values.get(name);
    return text == null ? byDefault : Long.parseLong(text.trim());
  }

  private static double real(Map<String, String> values, String name, double byDefault) {
    String text = values.get(name);
    return text == null ? byDefault : Double.parseDouble(text.trim());
  }
}
