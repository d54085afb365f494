package io.tidelog.it;

import io.tidelog.testkit.KafkaNode;
import io.tidelog.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;

/**
 * Apache Kafka 4.4.0 as a child process on loopback: one node, broker and controller. Its settings
 * and its log lie beside its data directory.
 */
final class KafkaProcess implements AutoCloseable {
  private static final int FORMAT_SECONDS = 60;
  private static final int START_SECONDS = 90;
  private static final int STOP_SECONDS = 60;
  private static final int ASK_MS = 2_000;
  private static final List<String> JVM =
      List.of(
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
          "-Dorg.slf4j.simpleLogger.log.org.apache.kafka=warn");

  private final Process process;
  private final Path log;
  private final String bootstrap;

  private KafkaProcess(Process process, Path log, String bootstrap) {
    this.process = process;
    this.log = log;
    this.bootstrap = bootstrap;
  }

  /** What the node is to be like, besides what one node needs; for short tests. */
  static Map<String, String> quick() {
    return Map.of(
        "offsets.topic.num.partitions", "3",
        "transaction.state.log.num.partitions", "3",
        "group.initial.rebalance.delay.ms", "0",
        "controller.quorum.election.timeout.ms", "200",
        "log.initial.task.delay.ms", "100",
        "log.cleaner.backoff.ms", "100");
  }

  /** A quorum that can change: its voters stand in the metadata log. */
  static Map<String, String> withVotersInTheLog(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("controller.quorum.voters", "");
    all.put("controller.quorum.bootstrap.servers", "127.0.0.1:9093");
    return all;
  }

  /** Formats a new data directory. */
  static void format(Path data, Map<String, String> settings, String... options)
      throws IOException, InterruptedException {
    Path properties = data.resolveSibling("kafka.properties");
    KafkaNode node = node(data, Ports.free(), Ports.free()).with(settings);
    Files.writeString(properties, node.properties());
    Path output = data.resolveSibling("format.log");
    Process format =
        node.format(properties, options)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!format.waitFor(FORMAT_SECONDS, TimeUnit.SECONDS) || format.exitValue() != 0) {
      format.destroyForcibly();
      throw new IOException("Kafka could not format " + data + ":\n" + Files.readString(output));
    }
  }

  /** Starts Kafka on a data directory and waits until it answers. */
  static KafkaProcess start(Path data, Map<String, String> settings) throws Exception {
    int port = Ports.free();
    Path properties = data.resolveSibling("kafka.properties");
    KafkaNode node = node(data, port, Ports.free()).with(settings);
    Files.writeString(properties, node.properties());
    Path log = data.resolveSibling("kafka.log");
    Process process =
        node.run(properties, JVM)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    KafkaProcess started = new KafkaProcess(process, log, "127.0.0.1:" + port);
    try {
      started.awaitReady();
      return started;
    } catch (Exception | Error e) {
      started.close();
      throw e;
    }
  }

  private static KafkaNode node(Path data, int port, int controllerPort) {
    return KafkaNode.on(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        data,
        port,
        controllerPort);
  }

  private void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      while (true) {
        try {
          admin
              .describeCluster(new DescribeClusterOptions().timeoutMs(ASK_MS))
              .nodes()
              .get(2 * ASK_MS, TimeUnit.MILLISECONDS);
          return;
        } catch (ExecutionException | TimeoutException notYet) {
          if (!process.isAlive() || System.nanoTime() > deadline) {
            throw new IOException("Kafka did not start:\n" + Files.readString(log), notYet);
          }
        }
      }
    }
  }

  String bootstrap() {
    return bootstrap;
  }

  /** What it has logged so far, at level WARN and above. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** SIGTERM, and waits for the end. */
  void stop() throws InterruptedException, IOException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "Kafka did not stop within " + STOP_SECONDS + " s of SIGTERM:\n" + log());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
