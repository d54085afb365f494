package io.tidelog.bench.verify;

import io.tidelog.bench.result.Comparison;
import io.tidelog.bench.result.Figure;
import io.tidelog.bench.server.KafkaJvm;
import io.tidelog.bench.verify.TimedCommand.Seconds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the checks of one log took, in turn, after one time each that is not counted. Who comes
 * first changes from round to round.
 */
final class Checks {
  static final int ROUNDS = 5;

  private static final List<String> KAFKA_JVM = KafkaJvm.options("-Xmx256M");

  /** How much is looked at. */
  enum Depth {
    SHALLOW,
    DEEP
  }

  private final TimedCommand read;
  private final Map<Depth, TimedCommand> ours = new EnumMap<>(Depth.class);
  private final Map<Depth, TimedCommand> theirs = new EnumMap<>(Depth.class);
  private final Map<TimedCommand, List<Seconds>> taken = new HashMap<>();

  private Checks(Path tidelog, Path java, Path log) {
    String folder = log.getParent().toString();
    read = new TimedCommand("cat", List.of("cat", log.toString()));
    ours.put(
        Depth.SHALLOW, new TimedCommand("verify", List.of(tidelog.toString(), "verify", folder)));
    ours.put(
        Depth.DEEP,
        new TimedCommand("verify --deep", List.of(tidelog.toString(), "verify", "--deep", folder)));
    List<String> kafka = new ArrayList<>();
    kafka.add(java.toString());
    kafka.addAll(KAFKA_JVM);
    kafka.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "org.apache.kafka.tools.DumpLogSegments",
            "--files",
            log.toString()));
    theirs.put(Depth.SHALLOW, new TimedCommand("DumpLogSegments", List.copyOf(kafka)));
    kafka.add("--deep-iteration");
    theirs.put(Depth.DEEP, new TimedCommand("DumpLogSegments, deep", List.copyOf(kafka)));
  }

  /** Runs all of them. */
  static Checks run(Path tidelog, Path java, Path log) throws IOException, InterruptedException {
    Checks checks = new Checks(tidelog, java, log);
    List<TimedCommand> order = new ArrayList<>();
    order.add(checks.read);
    for (Depth depth : Depth.values()) {
      order.add(checks.ours.get(depth));
      order.add(checks.theirs.get(depth));
    }
    for (TimedCommand command : order) {
      command.run();
      checks.taken.put(command, new ArrayList<>());
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (TimedCommand command : order) {
        checks.taken.get(command).add(command.run());
      }
      Collections.reverse(order);
    }
    return checks;
  }

  /** From the start to the end of each process, beside Kafka's tool. */
  Comparison wall(String load, Figure figure, Depth depth) {
    return comparison(load, figure, ours.get(depth), theirs.get(depth), Seconds::wallSeconds);
  }

  /** Of all threads of each process, beside Kafka's tool. */
  Comparison cpu(String load, Figure figure, Depth depth) {
    return comparison(load, figure, ours.get(depth), theirs.get(depth), Seconds::cpuSeconds);
  }

  /** The shallow check beside a bare read. */
  Comparison besideRead(String load, Figure figure) {
    return comparison(load, figure, ours.get(Depth.SHALLOW), read, Seconds::wallSeconds);
  }

  private Comparison comparison(
      String load,
      Figure figure,
      TimedCommand our,
      TimedCommand their,
      ToDoubleFunction<Seconds> of) {
    return new Comparison(load, figure, values(our, of), values(their, of));
  }

  private List<Double> values(TimedCommand command, ToDoubleFunction<Seconds> of) {
    return taken.get(command).stream().map(of::applyAsDouble).toList();
  }
}
