package io.tidelog.it.matrix;

import io.tidelog.it.NodeClients;
import io.tidelog.it.matrix.ClientProgram.Records;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Which clients there are, how each is started, and the rows that each has. */
final class MatrixClients {
  private static final List<String> ROWS =
      List.of(
          "metadata",
          "produce-none",
          "produce-gzip",
          "produce-snappy",
          "produce-lz4",
          "produce-zstd",
          "tombstones",
          "seek-by-time",
          "group",
          "transactions",
          "topics",
          "configs");

  private static final List<String> TOOLS =
      List.of(
          "topics",
          "console-producer",
          "console-consumer",
          "configs",
          "get-offsets",
          "consumer-groups",
          "log-dirs",
          "delete-records",
          "producer-perf-test",
          "consumer-perf-test",
          "verifiable-producer",
          "verifiable-consumer",
          "transactions",
          "broker-api-versions",
          "cluster",
          "metadata-quorum",
          "features",
          "leader-election",
          "client-quotas",
          "groups");

  private MatrixClients() {}

  static Stream<ClientProgram> all() {
    return Stream.of(
        java("4.4.0", with("partitions", "delete-records", "group-admin", "group-kip848")),
        java("2.8.2", with("partitions", "delete-records", "group-admin")),
        // zstd came with 2.1.
        java("1.1.1", without(List.of("produce-zstd"), "partitions", "delete-records")),
        // It describes configs by a version that Kafka 4 no longer has; CreatePartitions came
        // later.
        java("0.11.0.3", without(List.of("produce-zstd", "configs"))),
        // kcat administers nothing.
        child("kcat", KcatRows.class, without(List.of("topics", "configs"))),
        python("confluent", with("partitions", "group-admin")),
        // kafka-python had no transactions yet.
        python("kafka_python", without(List.of("transactions"), "partitions", "group-admin")),
        node("kafkajs", with("partitions", "delete-records", "group-admin")),
        node("platformatic", with("partitions", "delete-records", "group-admin")),
        child("kafka-tools", KafkaToolRows.class, TOOLS));
  }

  private static List<String> with(String... more) {
    return without(List.of(), more);
  }

  private static List<String> without(List<String> less, String... more) {
    List<String> rows = new ArrayList<>(ROWS);
    rows.removeAll(less);
    rows.addAll(List.of(more));
    return rows;
  }

  /** A release of Kafka's Java client, with the jars that the build put into a folder for it. */
  private static ClientProgram java(String version, List<String> rows) {
    String jars = Path.of("target", "clients", "java-" + version).toAbsolutePath() + "/*";
    String classes = Path.of("target", "test-classes").toAbsolutePath().toString();
    return ClientProgram.of(
        "java " + version,
        javaCommand(classes + File.pathSeparator + jars, JavaRows.class),
        Records.OF_SCRIPT,
        rows);
  }

  /** A client that rows in this project start. */
  private static ClientProgram child(String title, Class<?> program, List<String> rows) {
    return ClientProgram.of(
        title, javaCommand(System.getProperty("java.class.path"), program), Records.OWN, rows);
  }

  private static List<String> javaCommand(String classPath, Class<?> program) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx384m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        classPath,
        program.getName());
  }

  /** With the packages of Debian's Python, which need not be the one that is found first. */
  private static ClientProgram python(String name, List<String> rows) {
    Path program = Path.of("src", "test", "python", name + "_rows.py").toAbsolutePath();
    return ClientProgram.of(
        "python " + name,
        List.of("/usr/bin/python3", "-B", program.toString()),
        Records.OF_SCRIPT,
        rows);
  }

  private static ClientProgram node(String name, List<String> rows) {
    try {
      return ClientProgram.of(
          "node " + name, NodeClients.command(name + "_rows.mjs"), Records.OF_SCRIPT, rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
