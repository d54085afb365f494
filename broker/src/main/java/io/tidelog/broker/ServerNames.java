package io.tidelog.broker;

import io.tidelog.coordinator.GroupSettings;
import io.tidelog.coordinator.TransactionSettings;
import io.tidelog.handler.ServerSetting;
import io.tidelog.log.LogSettings;
import io.tidelog.net.NetLimits;
import io.tidelog.store.CleanerSettings;
import io.tidelog.topic.ConfigValue;
import io.tidelog.topic.ServerSynonyms;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;

/** The server-level settings that take effect, all under Kafka's names. */
final class ServerNames {
  private static final int INT = Integer.MAX_VALUE;
  private static final CleanerSettings CLEANER = CleanerSettings.DEFAULTS;

  /** Settings that the broker itself, its listeners and its topics go by. */
  private static final Map<String, Setting> OWN =
      byName(
          Setting.text("log.dir", "data"),
          Setting.list("log.dirs", null),
          Setting.list("listeners", "PLAINTEXT://127.0.0.1:9092"),
          Setting.list("advertised.listeners", null),
          Setting.text("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT"),
          Setting.list("controller.listener.names", ""),
          Setting.wholeNumber("node.id", null, 0, INT),
          Setting.wholeNumber("broker.id", null, -1, INT),
          Setting.wholeNumber("num.network.threads", null, 1, INT),
          Setting.wholeNumber("socket.send.buffer.bytes", "-1", -1, INT),
          Setting.wholeNumber("socket.receive.buffer.bytes", "-1", -1, INT),
          Setting.wholeNumber("socket.listen.backlog.size", "50", 1, INT),
          Setting.wholeNumber("socket.request.max.bytes", "104857600", 1, INT),
          Setting.numberOrChoice("queued.max.request.bytes", NetLimits.LEAST_RECEIVE_MEMORY_BYTES),
          Setting.wholeNumber("max.connections", "2147483647", 0, INT),
          Setting.wholeNumber("connections.max.idle.ms", "600000", -1, Long.MAX_VALUE),
          Setting.wholeNumber("fetch.max.bytes", "57671680", 1024, INT),
          Setting.wholeNumber("max.incremental.fetch.session.cache.slots", "1000", 0, INT),
          Setting.wholeNumber("num.recovery.threads.per.data.dir", "2", 1, INT),
          Setting.wholeNumber("log.flush.scheduler.interval.ms", "3000", 1, Long.MAX_VALUE),
          Setting.wholeNumber("log.retention.check.interval.ms", "300000", 1, Long.MAX_VALUE),
          Setting.wholeNumber("log.flush.offset.checkpoint.interval.ms", "60000", 1, INT),
          Setting.numberOrChoice("tidelog.reserved.disk.bytes", 0),
          Setting.flag("log.cleaner.enable", "true"),
          Setting.wholeNumber("log.cleaner.threads", String.valueOf(CLEANER.threads()), 1, INT),
          Setting.wholeNumber(
              "log.cleaner.dedupe.buffer.size",
              String.valueOf(CLEANER.keyBytes()),
              1,
              Long.MAX_VALUE),
          Setting.realNumber(
              "log.cleaner.io.buffer.load.factor", String.valueOf(CLEANER.keyLoad()), 0, 1),
          Setting.wholeNumber(
              "log.cleaner.io.buffer.size", String.valueOf(CLEANER.writeBytes()), 0, INT),
          Setting.realNumber(
              "log.cleaner.io.max.bytes.per.second",
              String.valueOf(CLEANER.maxBytesPerSecond()),
              1,
              Double.MAX_VALUE),
          Setting.wholeNumber(
              "log.cleaner.backoff.ms", String.valueOf(CLEANER.backoffMs()), 0, Long.MAX_VALUE),
          Setting.wholeNumber("metadata.log.segment.bytes", "1073741824", 8 << 20, INT),
          Setting.wholeNumber("metadata.log.segment.ms", "604800000", 1, Long.MAX_VALUE),
          Setting.wholeNumber(
              "metadata.log.max.record.bytes.between.snapshots", "20971520", 1, Long.MAX_VALUE),
          Setting.wholeNumber(
              "metadata.log.max.snapshot.interval.ms", "3600000", 0, Long.MAX_VALUE),
          Setting.wholeNumber("tidelog.scrub.bytes.per.second", "0", 0, 1L << 40),
          Setting.wholeNumber("num.partitions", "1", 1, INT),
          Setting.flag("auto.create.topics.enable", "true"),
          Setting.flag("delete.topic.enable", "true"));

  /** Defaults of topic-level settings, each with the name of the topic-level one. */
  private static final Map<String, String> OF_TOPICS = ofTopics();

  private ServerNames() {}

  /**
   * The settings of the broker, its groups and transactions, as they are described to clients.
   *
   * @param chosen by name, what is in use where nobody sets it and the default depends
   */
  static List<ServerSetting> described(Map<String, String> chosen) {
    Stream<ServerSetting> own =
        OWN.values().stream()
            .map(setting -> new ServerSetting(setting.name(), setting.type(), setting.byDefault()));
    Stream<ServerSetting> ofGroups = GroupSettings.keys().stream().map(ServerSetting::of);
    Stream<ServerSetting> ofTransactions =
        TransactionSettings.keys().stream().map(ServerSetting::of);
    return Stream.of(own, ofGroups, ofTransactions)
        .flatMap(all -> all)
        .map(setting -> setting.withDefault(chosen.get(setting.name())))
        .toList();
  }

  /** Whether a setting of this name has an effect. */
  static boolean takesEffect(String name) {
    return OWN.containsKey(name)
        || OF_TOPICS.containsKey(name)
        || GroupSettings.names().contains(name)
        || TransactionSettings.names().contains(name);
  }

  /** The default of one of the broker's own settings; null if it has none. */
  static String defaultOf(String name) {
    return OWN.get(name).byDefault();
  }

  /**
   * Checks the value of a setting that takes effect; those of groups and transactions check their
   * own.
   */
  static void check(String name, String value) {
    Setting own = OWN.get(name);
    if (own != null) {
      own.check(value);
    } else if (OF_TOPICS.containsKey(name)) {
      checkOfTopics(name, value);
    }
  }

  private static void checkOfTopics(String name, String value) {
    String topicLevel = OF_TOPICS.get(name);
    if (name.endsWith(".hours") || name.endsWith(".minutes")) {
      // Kafka's converter takes what is no number for the default.
      Setting.wholeNumber(name, null, -1, INT).check(value);
    }
    ConfigValue set = new ConfigValue(name, value, ConfigSource.STATIC_BROKER_CONFIG);
    try {
      LogSettings.of(Map.of(topicLevel, ServerSynonyms.inUnitOf(topicLevel, set)));
    } catch (IllegalArgumentException outOfBounds) {
      throw new InvalidSettingException(
          name + " is \"" + value + "\", but " + outOfBounds.getMessage());
    }
  }

  private static Map<String, String> ofTopics() {
    Map<String, String> names = new HashMap<>();
    for (String topicLevel : LogSettings.NAMES.keySet()) {
      ServerSynonyms.namesOf(topicLevel).forEach(name -> names.put(name, topicLevel));
    }
    return names;
  }

  private static Map<String, Setting> byName(Setting... settings) {
    Map<String, Setting> byName = new HashMap<>();
    for (Setting setting : settings) {
      byName.put(setting.name(), setting);
    }
    return byName;
  }
}
