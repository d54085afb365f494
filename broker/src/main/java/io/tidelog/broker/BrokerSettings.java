package io.tidelog.broker;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.coordinator.GroupSettings;
import io.tidelog.coordinator.TransactionSettings;
import io.tidelog.handler.AdvertisedAddress;
import io.tidelog.log.LogSettings;
import io.tidelog.net.NetLimits;
import io.tidelog.net.NetSettings;
import io.tidelog.net.SocketTuning;
import io.tidelog.store.CleanerSettings;
import io.tidelog.store.StoreSettings;
import io.tidelog.topic.CleanerConfigs;
import io.tidelog.topic.NodeIdentity;
import io.tidelog.topic.ServerSettings;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The settings of a broker, under the names that Kafka's {@code server.properties} has for them.
 * Immutable; checked as a whole when made. None need be set.
 *
 * <p>Defaults are Kafka's, but for those that {@code docs/compatibility.md} lists under its
 * deliberate differences; Tidelog's own settings are in {@code docs/operations.md}.
 *
 * <p>A listener that {@code controller.listener.names} lists is left out: there is no controller to
 * talk to. All others speak plaintext.
 */
public final class BrokerSettings {
  private static final String PLAINTEXT = "PLAINTEXT";
  private static final long NEVER_MS = TimeUnit.DAYS.toMillis(36_500);

  private final Map<String, String> values;
  private final List<String> withoutEffect;
  private final List<Path> dataDirectories;
  private final List<Listener> listeners;
  private final AdvertisedAddress advertised;
  private final GroupSettings groups;
  private final TransactionSettings transactions;
  private final CleanerSettings cleaner;

  private BrokerSettings(Map<String, String> given) {
    values = trimmed(given);
    withoutEffect =
        values.keySet().stream()
            .filter(name -> !ServerNames.takesEffect(name))
            .filter(name -> !SingleNodeValues.hold(name, values.get(name)))
            .sorted()
            .toList();
    values.forEach(ServerNames::check);
    dataDirectories = parseDirectories();
    listeners = parseListeners();
    advertised = parseAdvertised();
    try {
      groups = GroupSettings.of(values);
      transactions = TransactionSettings.of(values);
      cleaner = CleanerConfigs.settings(values);
    } catch (IllegalArgumentException outOfBounds) {
      throw new InvalidSettingException(outOfBounds.getMessage());
    }
  }

  /** All defaults. */
  public static BrokerSettings defaults() {
    return new BrokerSettings(Map.of());
  }

  /**
   * Settings with these values.
   *
   * @throws InvalidSettingException if a value is not allowed
   */
  public static BrokerSettings of(Map<String, String> values) {
    return new BrokerSettings(values);
  }

  /** As {@link #of(Map)}, from what a properties file holds. */
  public static BrokerSettings of(Properties values) {
    Map<String, String> map = new HashMap<>();
    values.stringPropertyNames().forEach(name -> map.put(name, values.getProperty(name)));
    return new BrokerSettings(map);
  }

  /** For a broker inside of another program: this data directory, any free port of localhost. */
  public static BrokerSettings embedded(Path dataDirectory) {
    return of(Map.of("log.dir", dataDirectory.toString(), "listeners", "PLAINTEXT://127.0.0.1:0"));
  }

  /** The same settings with one more. */
  public BrokerSettings with(String name, String value) {
    Map<String, String> more = new HashMap<>(values);
    more.put(name, value);
    return new BrokerSettings(more);
  }

  /**
   * The names that were given but change nothing, unknown or not offered, sorted. What a broker of
   * one node does in any case is not among them.
   */
  public List<String> withoutEffect() {
    return withoutEffect;
  }

  /** What was given, by name; no defaults. */
  public Map<String, String> explicit() {
    return Map.copyOf(values);
  }

  /** log.dirs, or log.dir. */
  public List<Path> dataDirectories() {
    return dataDirectories;
  }

  /** node.id, or broker.id; empty if the data directory decides. */
  public OptionalInt nodeId() {
    String id = values.getOrDefault("node.id", values.get("broker.id"));
    return id == null || Integer.parseInt(id) < 0
        ? OptionalInt.empty()
        : OptionalInt.of(Integer.parseInt(id));
  }

  /** What is in use where nobody has set it and there is no fixed default, or not Kafka's. */
  Map<String, String> chosen(NodeIdentity node) {
    String id = Integer.toString(node.nodeId());
    return Map.of(
        "node.id",
        id,
        "broker.id",
        id,
        "num.network.threads",
        Integer.toString(net(listeners.get(0)).loops()),
        "transaction.state.log.min.isr",
        Integer.toString(ServerSettings.TRANSACTIONS_MIN_ISR));
  }

  List<Listener> listeners() {
    return listeners;
  }

  AdvertisedAddress advertised() {
    return advertised;
  }

  GroupSettings groups() {
    return groups;
  }

  TransactionSettings transactions() {
    return transactions;
  }

  /** How a listener is served. */
  NetSettings net(Listener listener) {
    NetSettings standard = NetSettings.listeningOn(listener.toBind());
    return new NetSettings(
        standard.listen(),
        listener.name(),
        isSet("num.network.threads") ? (int) number("num.network.threads") : standard.loops(),
        limits(standard.limits()),
        new SocketTuning(
            (int) number("socket.listen.backlog.size"),
            (int) number("socket.send.buffer.bytes"),
            (int) number("socket.receive.buffer.bytes")));
  }

  private NetLimits limits(NetLimits standard) {
    long receiveMemoryBytes = number("queued.max.request.bytes");
    long idleMs = number("connections.max.idle.ms");
    return new NetLimits(
        (int) number("socket.request.max.bytes"),
        receiveMemoryBytes < 0 ? standard.receiveMemoryBytes() : receiveMemoryBytes,
        (int) number("max.connections"),
        idleMs < 0 ? NEVER_MS : Math.min(idleMs, NEVER_MS),
        standard.drainMs());
  }

  int fetchMaxBytes() {
    return (int) number("fetch.max.bytes");
  }

  int fetchSessionSlots() {
    return (int) number("max.incremental.fetch.session.cache.slots");
  }

  /**
   * @param logSettings the settings to open each partition's log with
   */
  StoreSettings store(Function<TopicPartition, LogSettings> logSettings) {
    return new StoreSettings(
            logSettings,
            number("log.flush.scheduler.interval.ms"),
            number("log.retention.check.interval.ms"),
            number("log.flush.offset.checkpoint.interval.ms"),
            (int) number("num.recovery.threads.per.data.dir"))
        .withReservedBytes(number("tidelog.reserved.disk.bytes"))
        .withCleaner(cleaner);
  }

  /** The number that was given under this name, else its default. */
  long number(String name) {
    return Long.parseLong(text(name));
  }

  boolean isSet(String name) {
    return values.containsKey(name);
  }

  private String text(String name) {
    return values.getOrDefault(name, ServerNames.defaultOf(name));
  }

  private List<Path> parseDirectories() {
    String name = isSet("log.dirs") ? "log.dirs" : "log.dir";
    List<Path> directories = new ArrayList<>();
    try {
      for (String directory : text(name).split(",", -1)) {
        if (!directory.isBlank()) {
          directories.add(Path.of(directory.trim()));
        }
      }
    } catch (InvalidPathException notAPath) {
      throw InvalidSettingException.of(name, text(name), "a list of directories");
    }
    if (directories.isEmpty() || new HashSet<>(directories).size() < directories.size()) {
      throw InvalidSettingException.of(name, text(name), "a list of different directories");
    }
    return List.copyOf(directories);
  }

  private List<Listener> parseListeners() {
    Map<String, String> protocols =
        Listener.parseProtocols(
            "listener.security.protocol.map", text("listener.security.protocol.map"));
    Set<String> controllers = new HashSet<>();
    for (String name : text("controller.listener.names").split(",", -1)) {
      controllers.add(name.trim().toUpperCase(Locale.ROOT));
    }
    List<Listener> all = new ArrayList<>(Listener.parse("listeners", text("listeners")));
    all.removeIf(listener -> controllers.contains(listener.name()));
    for (Listener listener : all) {
      String protocol = protocols.getOrDefault(listener.name(), listener.name());
      if (!protocol.equals(PLAINTEXT)) {
        throw new InvalidSettingException(
            "listeners is \"%s\", but %s is to speak %s and only PLAINTEXT is offered (listener.security.protocol.map says what a listener speaks)"
                .formatted(text("listeners"), listener.name(), protocol));
      }
    }
    if (all.isEmpty()) {
      throw InvalidSettingException.of("listeners", text("listeners"), "at least one for clients");
    }
    return List.copyOf(all);
  }

  private AdvertisedAddress parseAdvertised() {
    if (!isSet("advertised.listeners")) {
      return AdvertisedAddress.AS_CONNECTED;
    }
    Map<String, InetSocketAddress> byName = new HashMap<>();
    for (Listener listener : Listener.parse("advertised.listeners", text("advertised.listeners"))) {
      if (listener.address().getHostString().isEmpty()) {
        throw InvalidSettingException.of(
            "advertised.listeners", text("advertised.listeners"), "a list with a host in each");
      }
      byName.put(listener.name(), listener.address());
    }
    return new AdvertisedAddress(byName);
  }

  /** Without blanks around the values, and without those that have nothing else. */
  private static Map<String, String> trimmed(Map<String, String> given) {
    Map<String, String> trimmed = new TreeMap<>();
    given.forEach(
        (name, value) -> {
          if (!value.isBlank()) {
            trimmed.put(name, value.trim());
          }
        });
    return trimmed;
  }
}
