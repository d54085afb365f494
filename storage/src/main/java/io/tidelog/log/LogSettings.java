package io.tidelog.log;

import io.tidelog.record.BatchRules;
import io.tidelog.record.Compression;
import io.tidelog.record.Packing;
import io.tidelog.record.TimestampType;
import io.tidelog.record.UnpackLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The settings of one log, under Kafka's topic-level names and with Kafka's defaults. Immutable.
 * {@link #NAMES} lists what the engine heeds; three names are its own: {@code tidelog.durability}
 * ({@code page-cache} or {@code fsync}), {@code tidelog.retention.clock} ({@code record} or {@code
 * append}) and {@code tidelog.batch.validation} ({@code full} or {@code header}).
 */
public final class LogSettings {
  /**
   * No record may take more memory than this to unpack, whatever is set: a compressed bomb must not
   * take the process with it.
   */
  static final UnpackLimits MOST_UNPACKED =
      new UnpackLimits(
          (int) Math.min(UnpackLimits.DEFAULT.memoryBytes(), Runtime.getRuntime().maxMemory() / 8),
          UnpackLimits.DEFAULT.batchBytes());

  /** Every name that {@link #of} takes, with its default. */
  public static final Map<String, String> NAMES = defaults();

  public static final LogSettings DEFAULTS = of(Map.of());

  private final Map<String, String> values;
  private final int segmentBytes;
  private final long segmentMs;
  private final long segmentJitterMs;
  private final int segmentIndexBytes;
  private final int indexIntervalBytes;
  private final long retentionBytes;
  private final long retentionMs;
  private final long flushMessages;
  private final long flushMs;
  private final long fileDeleteDelayMs;
  private final int maxMessageBytes;
  private final long timestampAfterMaxMs;
  private final boolean deletes;
  private final boolean compacts;
  private final Durability durability;
  private final RetentionClock retentionClock;
  private final long producerIdExpirationMs;
  private final CompactionSettings compaction;
  private final boolean endsAtDamage;
  private final BatchRules clientRules;
  private final BatchRules coordinatorRules;

  private LogSettings(Map<String, String> given, boolean endsAtDamage) {
    this.endsAtDamage = endsAtDamage;
    values = new TreeMap<>(NAMES);
    values.putAll(given);
    segmentBytes = (int) number("segment.bytes", 1, Integer.MAX_VALUE);
    segmentMs = number("segment.ms", 1, Long.MAX_VALUE);
    segmentJitterMs = number("segment.jitter.ms", 0, Long.MAX_VALUE);
    segmentIndexBytes = (int) number("segment.index.bytes", 4, Integer.MAX_VALUE);
    indexIntervalBytes = (int) number("index.interval.bytes", 0, Integer.MAX_VALUE);
    retentionBytes = number("retention.bytes", -1, Long.MAX_VALUE);
    retentionMs = number("retention.ms", -1, Long.MAX_VALUE);
    flushMessages = number("flush.messages", 1, Long.MAX_VALUE);
    flushMs = number("flush.ms", 0, Long.MAX_VALUE);
    fileDeleteDelayMs = number("file.delete.delay.ms", 0, Long.MAX_VALUE);
    maxMessageBytes = (int) number("max.message.bytes", 0, Integer.MAX_VALUE);
    TimestampType timestampType = oneOf("message.timestamp.type", LogSettings::timestampType);
    long timestampBeforeMaxMs = number("message.timestamp.before.max.ms", 0, Long.MAX_VALUE);
    timestampAfterMaxMs = number("message.timestamp.after.max.ms", 0, Long.MAX_VALUE);
    Optional<Compression> compression = oneOf("compression.type", LogSettings::compression);
    List<String> policies = list("cleanup.policy", List.of("delete", "compact"));
    deletes = policies.contains("delete");
    compacts = policies.contains("compact");
    durability = oneOf("tidelog.durability", text -> Durability.valueOf(constant(text)));
    retentionClock =
        oneOf("tidelog.retention.clock", text -> RetentionClock.valueOf(constant(text)));
    producerIdExpirationMs = number("producer.id.expiration.ms", 1, Integer.MAX_VALUE);
    compaction =
        new CompactionSettings(
            ratio("min.cleanable.dirty.ratio"),
            number("min.compaction.lag.ms", 0, Long.MAX_VALUE),
            number("max.compaction.lag.ms", 1, Long.MAX_VALUE),
            number("delete.retention.ms", 0, Long.MAX_VALUE));
    UnpackLimits unpackLimits =
        new UnpackLimits(
            (int)
                Math.min(
                    number("max.decompressed.message.bytes", 1, Integer.MAX_VALUE),
                    MOST_UNPACKED.memoryBytes()),
            MOST_UNPACKED.batchBytes());
    BatchRules.Depth depth =
        oneOf("tidelog.batch.validation", text -> BatchRules.Depth.valueOf(constant(text)));
    clientRules =
        new BatchRules(
            new BatchRules.TimestampRule(timestampType, timestampBeforeMaxMs, timestampAfterMaxMs),
            new BatchRules.SizeRule(Math.min(maxMessageBytes, segmentBytes), unpackLimits),
            compression.map(Packing::of),
            compacts ? BatchRules.KeyRule.REQUIRED : BatchRules.KeyRule.OPTIONAL,
            depth);
    coordinatorRules =
        new BatchRules(
            new BatchRules.TimestampRule(TimestampType.CREATE_TIME, Long.MAX_VALUE, Long.MAX_VALUE),
            new BatchRules.SizeRule(segmentBytes, unpackLimits),
            Optional.empty(),
            BatchRules.KeyRule.OPTIONAL);
  }

  /**
   * Settings with these values, the rest at their defaults.
   *
   * @throws IllegalArgumentException naming an unknown name, or a value and what is allowed
   */
  public static LogSettings of(Map<String, String> values) {
    for (String name : new TreeSet<>(values.keySet())) {
      if (!NAMES.containsKey(name)) {
        throw new IllegalArgumentException("unknown log setting " + name);
      }
    }
    return new LogSettings(values, false);
  }

  /**
   * The same settings, of a log that ends at its first damage after a crash: for records that mean
   * nothing without those before them.
   */
  public LogSettings endingAtDamage() {
    return new LogSettings(values, true);
  }

  /** Whether the log ends at its first damage after a crash. */
  public boolean endsAtDamage() {
    return endsAtDamage;
  }

  private static Map<String, String> defaults() {
    Map<String, String> names = new TreeMap<>();
    names.put("segment.bytes", "1073741824");
    names.put("segment.ms", "604800000");
    names.put("segment.jitter.ms", "0");
    names.put("segment.index.bytes", "10485760");
    names.put("index.interval.bytes", "4096");
    names.put("retention.bytes", "-1");
    names.put("retention.ms", "604800000");
    names.put("flush.messages", Long.toString(Long.MAX_VALUE));
    names.put("flush.ms", Long.toString(Long.MAX_VALUE));
    names.put("file.delete.delay.ms", "60000");
    names.put("max.decompressed.message.bytes", "2147483639");
    names.put("max.message.bytes", "1048588");
    names.put("message.timestamp.type", "CreateTime");
    names.put("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
    names.put("message.timestamp.after.max.ms", "3600000");
    names.put("compression.type", "producer");
    names.put("cleanup.policy", "delete");
    names.put("min.cleanable.dirty.ratio", "0.5");
    names.put("min.compaction.lag.ms", "0");
    names.put("max.compaction.lag.ms", Long.toString(Long.MAX_VALUE));
    names.put("delete.retention.ms", "86400000");
    names.put("tidelog.durability", "page-cache");
    names.put("tidelog.retention.clock", "record");
    names.put("tidelog.batch.validation", "full");
    names.put("producer.id.expiration.ms", "86400000");
    return java.util.Collections.unmodifiableMap(names);
  }

  /** All values by name, defaults included. */
  public Map<String, String> values() {
    return java.util.Collections.unmodifiableMap(values);
  }

  /** A segment is closed before it would grow beyond this many bytes. */
  public int segmentBytes() {
    return segmentBytes;
  }

  /**
   * A segment is closed when a record comes that is this much younger than its first batch: one
   * that is open is not compacted, so max.compaction.lag.ms counts too.
   */
  public long segmentMs() {
    return compacts ? Math.min(segmentMs, compaction.maxLagMs()) : segmentMs;
  }

  /** Up to this much is taken off {@link #segmentMs}, at random for each segment. */
  public long segmentJitterMs() {
    return segmentJitterMs;
  }

  /** Most bytes of an index file. */
  public int segmentIndexBytes() {
    return segmentIndexBytes;
  }

  /** Bytes of log per index entry. */
  public int indexIntervalBytes() {
    return indexIntervalBytes;
  }

  /** Most bytes of log kept, or -1. */
  public long retentionBytes() {
    return retentionBytes;
  }

  /** How long records are kept, or -1. */
  public long retentionMs() {
    return retentionMs;
  }

  /** After this many records the log is made durable. */
  public long flushMessages() {
    return flushMessages;
  }

  /** After this much time the log is made durable. */
  public long flushMs() {
    return flushMs;
  }

  /** How long the files of a dropped segment stay under another name. */
  public long fileDeleteDelayMs() {
    return fileDeleteDelayMs;
  }

  /** Largest batch that clients may send, in bytes. */
  public int maxMessageBytes() {
    return maxMessageBytes;
  }

  /** How far a record's timestamp may lie in the future. */
  public long timestampAfterMaxMs() {
    return timestampAfterMaxMs;
  }

  /** Whether retention drops old segments. */
  public boolean deletes() {
    return deletes;
  }

  /** Whether the log is compacted, so that every record needs a key. */
  public boolean compacts() {
    return compacts;
  }

  /** How it is compacted. */
  public CompactionSettings compaction() {
    return compaction;
  }

  public Durability durability() {
    return durability;
  }

  public RetentionClock retentionClock() {
    return retentionClock;
  }

  /** Producers that were last heard of at or before this time are forgotten. */
  public long producerCutoffMs(long nowMs) {
    return nowMs - producerIdExpirationMs;
  }

  /** What a batch from a client must keep to. */
  BatchRules clientRules() {
    return clientRules;
  }

  /** What a batch from a coordinator must keep to. */
  BatchRules coordinatorRules() {
    return coordinatorRules;
  }

  private long number(String name, long least, long most) {
    String text = values.get(name);
    try {
      long value = Long.parseLong(text.trim());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Falls through to the sentence below.
    }
    throw new IllegalArgumentException(
        name + " is \"" + text + "\", expected a whole number from " + least + " to " + most);
  }

  private double ratio(String name) {
    String text = values.get(name);
    try {
      double value = Double.parseDouble(text.trim());
      if (value >= 0 && value <= 1) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Falls through to the sentence below.
    }
    throw new IllegalArgumentException(
        name + " is \"" + text + "\", expected a number from 0 to 1");
  }

  private <T> T oneOf(String name, Function<String, T> parse) {
    try {
      return parse.apply(values.get(name).trim());
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException(
          name + " is \"" + values.get(name) + "\", which is not one of its values", unknown);
    }
  }

  private List<String> list(String name, List<String> allowed) {
    List<String> found = new ArrayList<>();
    for (String item : values.get(name).split(",", -1)) {
      if (!item.isBlank()) {
        found.add(item.trim());
      }
    }
    if (!allowed.containsAll(found)) {
      throw new IllegalArgumentException(
          name + " is \"" + values.get(name) + "\", expected some of " + allowed);
    }
    return found;
  }

  private static TimestampType timestampType(String text) {
    return switch (text) {
      case "CreateTime" -> TimestampType.CREATE_TIME;
      case "LogAppendTime" -> TimestampType.LOG_APPEND_TIME;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static Optional<Compression> compression(String text) {
    return switch (text) {
      case "producer" -> Optional.empty();
      case "uncompressed" -> Optional.of(Compression.NONE);
      default -> Optional.of(Compression.valueOf(text.toUpperCase(Locale.ROOT)));
    };
  }

  private static String constant(String text) {
    return text.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
