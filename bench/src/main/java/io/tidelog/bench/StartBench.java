package io.tidelog.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * How long until a broker that was just started answers, and until a record is stored in a topic
 * that did not exist? Tidelog and Apache Kafka in turn, five times each after one time that is not
 * counted; the client is the same, and warm.
 */
public final class StartBench {
  private static final int ROUNDS = 5;

  private StartBench() {}

  /**
   * Measures and prints.
   *
   * @param args the {@code tidelog} launcher and the Java to run Kafka with
   */
  public static void main(String[] args) throws Exception {
    List<Server> servers =
        List.of(
            new TidelogServer(Path.of(args[0])),
            new KafkaServer(Path.of(args[1]), System.getProperty("java.class.path")));
    Map<Server, List<StartRound>> rounds = new LinkedHashMap<>();
    for (Server server : servers) {
      rounds.put(server, new ArrayList<>());
      measure(server);
    }
    for (int i = 0; i < ROUNDS; i++) {
      for (Server server : servers) {
        rounds.get(server).add(measure(server));
      }
    }
    print(rounds);
  }

  private static StartRound measure(Server server) throws Exception {
    Path directory = Files.createTempDirectory("tidelog-bench");
    try {
      return StartRound.run(server, directory);
    } finally {
      delete(directory);
    }
  }

  private static void print(Map<Server, List<StartRound>> rounds) {
    System.out.printf(
        "From the start of the process, median of %d (all rounds), %d processors, Java %s%n%n",
        ROUNDS, Runtime.getRuntime().availableProcessors(), Runtime.version());
    System.out.printf(
        "%-20s %-38s %-38s %s%n",
        "", "first ApiVersions, ms", "first produce, ms", "resident, MiB");
    rounds.forEach(
        (server, all) ->
            System.out.printf(
                "%-20s %-38s %-38s %d%n",
                server.name(),
                summary(all, StartRound::firstAnswerMs),
                summary(all, StartRound::firstProduceMs),
                median(all, StartRound::residentMiB)));
    List<List<StartRound>> both = List.copyOf(rounds.values());
    System.out.printf(
        "%-20s %-38s %s%n",
        "Kafka / Tidelog",
        ratio(both, StartRound::firstAnswerMs),
        ratio(both, StartRound::firstProduceMs));
  }

  private static String summary(List<StartRound> all, ToLongFunction<StartRound> figure) {
    return median(all, figure) + " " + all.stream().mapToLong(figure).sorted().boxed().toList();
  }

  private static String ratio(List<List<StartRound>> both, ToLongFunction<StartRound> figure) {
    return "%.1f".formatted((double) median(both.get(1), figure) / median(both.get(0), figure));
  }

  private static long median(List<StartRound> all, ToLongFunction<StartRound> figure) {
    return all.stream().mapToLong(figure).sorted().skip(all.size() / 2).findFirst().orElseThrow();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
