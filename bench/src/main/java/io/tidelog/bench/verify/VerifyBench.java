package io.tidelog.bench.verify;

import io.tidelog.bench.verify.LargeSegment.Batches;
import io.tidelog.bench.verify.TimedCommand.Seconds;
import io.tidelog.record.Compression;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * How long does it take to check a segment of 1 GiB? {@code tidelog verify} and Kafka's
 * DumpLogSegments, shallow and deep, and a bare read, in turn, five times each after one time that
 * is not counted; whole processes, the file in the page cache. A CRC-32C costs about 0.1 s per GiB
 * and core, so that the start of a JVM is a good part of the shallow check.
 */
public final class VerifyBench {
  private static final int ROUNDS = 5;

  /** Large batches are read as fast as bytes come; of small ones each costs its header. */
  private static final List<Batches> SEGMENTS =
      List.of(
          new Batches(Compression.NONE, 16),
          new Batches(Compression.NONE, 1),
          new Batches(Compression.LZ4, 16));

  /** As Kafka's own script for its tools has them. */
  private static final List<String> KAFKA_JVM =
      List.of(
          "-Xmx256M",
          "-server",
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:+ExplicitGCInvokesConcurrent",
          "-XX:MaxInlineLevel=15",
          "-Djava.awt.headless=true");

  private VerifyBench() {}

  /**
   * Measures and prints.
   *
   * @param args the {@code tidelog} launcher and the Java to run Kafka's tool with
   */
  public static void main(String[] args) throws Exception {
    for (Batches batches : SEGMENTS) {
      Path directory = Files.createTempDirectory("tidelog-bench");
      try {
        Path log = LargeSegment.write(directory.resolve("data"), batches);
        System.out.printf(
            "A segment of %d MiB, batches of %d records of 1 KiB, compression %s; median of %d, %d processors, Java %s%n%n",
            Files.size(log) >> 20,
            batches.records(),
            batches.compression().name().toLowerCase(java.util.Locale.ROOT),
            ROUNDS,
            Runtime.getRuntime().availableProcessors(),
            Runtime.version());
        print(measure(commands(args[0], args[1], log)));
      } finally {
        delete(directory);
      }
    }
  }

  private static List<TimedCommand> commands(String tidelog, String java, Path log) {
    List<String> kafka = new ArrayList<>();
    kafka.add(java);
    kafka.addAll(KAFKA_JVM);
    kafka.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "org.apache.kafka.tools.DumpLogSegments",
            "--files",
            log.toString()));
    List<String> kafkaDeep = new ArrayList<>(kafka);
    kafkaDeep.add("--deep-iteration");
    String folder = log.getParent().toString();
    return List.of(
        new TimedCommand("cat", List.of("cat", log.toString())),
        new TimedCommand("verify", List.of(tidelog, "verify", folder)),
        new TimedCommand("DumpLogSegments", kafka),
        new TimedCommand("verify --deep", List.of(tidelog, "verify", "--deep", folder)),
        new TimedCommand("DumpLogSegments, deep", kafkaDeep));
  }

  private static Map<TimedCommand, List<Seconds>> measure(List<TimedCommand> commands)
      throws Exception {
    Map<TimedCommand, List<Seconds>> all = new LinkedHashMap<>();
    for (TimedCommand command : commands) {
      command.run();
      all.put(command, new ArrayList<>());
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (TimedCommand command : commands) {
        all.get(command).add(command.run());
      }
    }
    return all;
  }

  private static void print(Map<TimedCommand, List<Seconds>> all) {
    System.out.printf("%-22s %7s  %-40s %7s%n", "", "wall, s", "all", "CPU, s");
    all.forEach(
        (command, runs) ->
            System.out.printf(
                "%-22s %7.2f  %-40s %7.2f%n",
                command.name(),
                median(runs, Seconds::wallSeconds),
                runs.stream().map(Seconds::wallSeconds).sorted().toList(),
                median(runs, Seconds::cpuSeconds)));
    List<List<Seconds>> runs = List.copyOf(all.values());
    printRatio("shallow: Kafka / verify", runs.get(2), runs.get(1));
    printRatio("deep: Kafka / verify", runs.get(4), runs.get(3));
    printRatio("shallow: verify / cat", runs.get(1), runs.get(0));
    System.out.println();
  }

  private static void printRatio(String name, List<Seconds> longer, List<Seconds> shorter) {
    System.out.printf(
        "%-24s %5.1f wall, %5.1f CPU%n",
        name,
        median(longer, Seconds::wallSeconds) / median(shorter, Seconds::wallSeconds),
        median(longer, Seconds::cpuSeconds) / median(shorter, Seconds::cpuSeconds));
  }

  private static double median(List<Seconds> runs, ToDoubleFunction<Seconds> figure) {
    return runs.stream().mapToDouble(figure).sorted().skip(runs.size() / 2).findFirst().orElse(0);
  }

  private static void delete(Path directory) throws java.io.IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
