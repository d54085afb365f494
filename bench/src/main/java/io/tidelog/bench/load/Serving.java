package io.tidelog.bench.load;

import io.tidelog.bench.run.Plan;
import io.tidelog.bench.server.RunningServer;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.RawConnection;
import io.tidelog.bench.wire.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server that serves, the topics that loads make there, and connections to it. */
public final class Serving implements AutoCloseable {
  private static final long TRY_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(2);

  /** What was deleted leaves the page cache soon. */
  private static final Map<String, String> SHORT_LIVED = Map.of("file.delete.delay.ms", "100");

  private final RunningServer server;
  private final Plan plan;
  private final List<RawConnection> connections = new ArrayList<>();
  private int topics;

  private Serving(RunningServer server, Plan plan) {
    this.server = server;
    this.plan = plan;
  }

  /** Starts a server on an empty directory and waits until it can be connected to. */
  public static Serving start(Server server, Path directory, Plan plan)
      throws IOException, InterruptedException {
    Serving serving = new Serving(RunningServer.startNew(server, directory), plan);
    try {
      serving.connect(1);
      return serving;
    } catch (IOException e) {
      serving.close();
      throw e;
    }
  }

  public RunningServer server() {
    return server;
  }

  public Plan plan() {
    return plan;
  }

  /** How long to run now. */
  public Duration span() {
    return plan.span();
  }

  /** A topic of a name of its own. */
  public Topic topic(int partitions) throws Exception {
    return topic(partitions, SHORT_LIVED);
  }

  /** The same, with configs. */
  Topic shortLivedTopic(int partitions, Map<String, String> configs) throws Exception {
    Map<String, String> all = new HashMap<>(SHORT_LIVED);
    all.putAll(configs);
    return topic(partitions, all);
  }

  /** A topic of a name of its own, with configs. */
  public Topic topic(int partitions, Map<String, String> configs) throws Exception {
    return Topic.create(server.port(), "load-" + topics++, partitions, configs);
  }

  /** So many connections; those that were made before are the first of them. */
  public List<RawConnection> connect(int count) throws IOException {
    while (connections.size() < count) {
      connections.add(connection());
    }
    return List.copyOf(connections.subList(0, count));
  }

  private RawConnection connection() throws IOException {
    while (true) {
      try {
        return RawConnection.to(server.port());
      } catch (IOException notYet) {
        server.requireAlive();
        if (!connections.isEmpty()) {
          throw notYet;
        }
        LockSupport.parkNanos(TRY_EVERY_NS);
      }
    }
  }

  /** Processor time that the server has used. */
  public double cpuSeconds() throws IOException {
    server.requireAlive();
    return server.figures().cpuSeconds();
  }

  @Override
  public void close() throws IOException {
    for (RawConnection connection : connections) {
      connection.close();
    }
    server.close();
  }
}
