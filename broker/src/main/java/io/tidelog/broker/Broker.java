package io.tidelog.broker;

import io.tidelog.coordinator.GroupConfigs;
import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.Transactions;
import io.tidelog.disk.NioDisk;
import io.tidelog.handler.ClusterApis;
import io.tidelog.handler.DataApis;
import io.tidelog.handler.FetchHandler;
import io.tidelog.handler.FetchSessions;
import io.tidelog.handler.GroupApis;
import io.tidelog.handler.TopicApis;
import io.tidelog.handler.TransactionApis;
import io.tidelog.net.NetEvents;
import io.tidelog.net.Server;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreSettings;
import io.tidelog.store.Surroundings;
import io.tidelog.store.ThreadScheduler;
import io.tidelog.topic.Admission;
import io.tidelog.topic.IdentityFiles;
import io.tidelog.topic.NodeIdentity;
import io.tidelog.topic.ServerSettings;
import io.tidelog.topic.Topics;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running broker. Any number may run in one process, each on its own data directory.
 *
 * <pre>{@code
 * try (Broker broker = Broker.start(BrokerSettings.embedded(Path.of("data")))) {
 *   properties.put("bootstrap.servers", "localhost:" + broker.port());
 *   …
 * }
 * }</pre>
 */
public final class Broker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
  private static final int BACKGROUND_THREADS = 3;

  private final Topics topics;
  private final List<Closeable> waits;
  private final Parts parts;
  private final List<InetSocketAddress> addresses;

  /**
   * @param waits what requests may wait for: closed first, while the listeners still run, so that
   *     clients get their answers
   */
  private Broker(
      Topics topics, List<Closeable> waits, Parts parts, List<InetSocketAddress> addresses) {
    this.topics = topics;
    this.waits = waits;
    this.parts = parts;
    this.addresses = addresses;
  }

  /**
   * Starts a broker on the real disk and clock. When this returns, clients are served.
   *
   * @throws BrokerStartException if it cannot start, with one sentence that says why
   */
  public static Broker start(BrokerSettings settings) throws BrokerStartException {
    return start(
        settings,
        new Surroundings(
            new NioDisk(),
            InstantSource.system(),
            new SplittableRandom(),
            ThreadScheduler.start(BACKGROUND_THREADS, LOG::error),
            new LoggedEvents()));
  }

  /**
   * Starts a broker with the disk, the clock, chance and background work passed in.
   *
   * @param around its scheduler is closed with the broker, and also if the start fails
   */
  public static Broker start(BrokerSettings settings, Surroundings around)
      throws BrokerStartException {
    settings
        .withoutEffect()
        .forEach(name -> LOG.warn("The setting {} has no effect: it is not offered here", name));
    Parts parts = new Parts();
    parts.add(around.scheduler());
    around.scheduler().execute(OfferedApis::load);
    try {
      return open(settings, around, parts);
    } catch (IOException e) {
      closeAfter(e, parts);
      throw BrokerStartException.because(e);
    } catch (RuntimeException e) {
      closeAfter(e, parts);
      throw e;
    }
  }

  private static Broker open(BrokerSettings settings, Surroundings around, Parts parts)
      throws IOException {
    for (Listener listener : settings.listeners()) {
      Server.requireFree(settings.net(listener)); // recovery changes files
    }
    ServerSettings server = new ServerSettings(settings.explicit());
    Admission admission = new Admission(around.disk(), settings.dataDirectories(), server);
    StoreSettings storeSettings =
        settings.store(admission.admit(settings.nodeId())).withTopicIds(admission.topicIds());
    LogStore store = parts.add(LogStore.open(settings.dataDirectories(), storeSettings, around));
    store.scrub(settings.number("tidelog.scrub.bytes.per.second"));
    NodeIdentity node =
        new IdentityFiles(around.disk(), store.directories(), around.random())
            .readOrCreate(settings.nodeId());
    Topics topics = parts.add(Topics.open(store, node, server, around));
    Transactions transactions =
        parts.add(Transactions.over(topics, settings.transactions(), around));
    Groups groups = parts.add(Groups.over(topics, settings.groups(), transactions, around));
    ClusterFacts facts = new ClusterFacts(topics);
    OfferedApis.Builder apis = OfferedApis.builder(facts);
    FetchHandler fetch = fetchHandler(topics, settings, around);
    DataApis.offer(apis, topics, transactions, fetch, around.scheduler()::execute);
    TopicApis.offer(apis, topics, settings.advertised());
    ClusterApis.offer(apis, topics, settings.advertised(), around.clock());
    ClusterApis.offerFeatures(apis, topics, facts);
    ClusterApis.offerQuotas(apis, topics, around.scheduler()::execute);
    TopicApis.offerConfigs(
        apis,
        topics,
        new GroupConfigs(settings.groups()),
        ServerNames.described(settings.chosen(node)));
    TopicApis.offerLogDirs(apis, topics, around.disk(), around.scheduler()::execute);
    GroupApis.offer(apis, groups, transactions, topics, settings.advertised());
    TransactionApis.offer(apis, transactions, groups, topics);
    if (settings.groups().offersConsumerProtocol()) {
      GroupApis.offerConsumerProtocol(apis, groups, topics);
    }
    if (settings.groups().offersStreamsProtocol()) {
      GroupApis.offerStreamsProtocol(apis, groups, topics);
    }
    List<InetSocketAddress> addresses = listen(settings, apis.build(), parts);
    transactions.resume();
    LOG.info("Node {} serves {} from {}", node.nodeId(), addresses, store.directories());
    return new Broker(topics, List.of(fetch, transactions, groups), parts, addresses);
  }

  private static FetchHandler fetchHandler(
      Topics topics, BrokerSettings settings, Surroundings around) {
    FetchSessions sessions =
        new FetchSessions(
            settings.fetchSessionSlots(),
            around.clock(),
            new SplittableRandom(around.random().nextLong()));
    return new FetchHandler(topics, settings.advertised(), sessions, settings.fetchMaxBytes());
  }

  private static List<InetSocketAddress> listen(
      BrokerSettings settings, OfferedApis apis, Parts parts) throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (Listener listener : settings.listeners()) {
      Server server = Server.start(settings.net(listener), apis, NetEvents.NONE, System::nanoTime);
      parts.add(server::close);
      addresses.add(server.address());
    }
    return List.copyOf(addresses);
  }

  private static void closeAfter(Exception failure, Parts parts) {
    try {
      parts.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** The port of the first listener. */
  public int port() {
    return address().getPort();
  }

  /** Where the first listener listens. */
  public InetSocketAddress address() {
    return addresses.get(0);
  }

  /** Where all listeners listen, in the order of the settings. */
  public List<InetSocketAddress> addresses() {
    return addresses;
  }

  Topics topics() {
    return topics;
  }

  /** The cluster's id. */
  public String clusterId() {
    return topics.node().clusterId();
  }

  /**
   * A clean stop: answers what waits, closes the connections, and leaves a data directory that the
   * next start need not check. No effect if it is stopped already.
   */
  @Override
  public void close() throws IOException {
    try {
      for (Closeable wait : waits) {
        wait.close();
      }
    } finally {
      parts.close();
    }
  }
}
