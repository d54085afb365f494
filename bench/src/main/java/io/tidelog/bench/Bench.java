package io.tidelog.bench;

import io.tidelog.bench.result.Report;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Pairs;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.server.KafkaServer;
import io.tidelog.bench.server.TidelogServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs loads on Tidelog and on Apache Kafka in turn, prints a row for each figure as soon as it is
 * known, and writes all of them down. A target that is missed is said, it is not a failure.
 */
public final class Bench {
  private static final int OPTIONS_FROM = 3;
  private static final int USAGE = 2;

  private Bench() {}

  /**
   * Measures.
   *
   * @param args the {@code tidelog} launcher, the Java to run Kafka with, the folder for results,
   *     then {@code quick} or {@code try} if it is to be shorter, and names of loads; without a
   *     name: all
   */
  public static void main(String[] args) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(Bench::killChildren));
    List<String> names = new ArrayList<>(List.of(args).subList(OPTIONS_FROM, args.length));
    Plan plan = plan(names);
    List<Load> all = Loads.all(plan);
    List<String> known = all.stream().map(Load::name).toList();
    if (!known.containsAll(names)) {
      names.removeAll(known);
      System.err.println("there is no load " + names + "; these are there: " + known);
      System.exit(USAGE);
    }
    List<Load> wanted =
        all.stream().filter(load -> names.isEmpty() || names.contains(load.name())).toList();
    Path java = Path.of(args[1]);
    Pairs pairs =
        new Pairs(
            new TidelogServer(Path.of(args[0])),
            new KafkaServer(java, System.getProperty("java.class.path")),
            plan);
    boolean isWhole = new Bench().measure(wanted, pairs, plan, new Place(java, Path.of(args[2])));
    // Whatever a client has left running is not waited for.
    System.exit(isWhole ? 0 : 1);
  }

  /** No broker outlives the bench, however it ends. */
  private static void killChildren() {
    ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
  }

  /** Where it is measured, and where that is written down. */
  private record Place(Path java, Path results) {}

  private static Plan plan(List<String> names) {
    for (Plan plan : List.of(Plan.QUICK, Plan.TRY)) {
      if (names.remove(plan.name())) {
        return plan;
      }
    }
    return Plan.FULL;
  }

  /** Whether every load ended. One that fails is said, and costs none of the others' rows. */
  private boolean measure(List<Load> loads, Pairs pairs, Plan plan, Place place)
      throws IOException {
    Report report = Report.begin(place.java, plan.name() + ", " + plan.pairs() + " pairs");
    boolean isWhole = true;
    for (Load load : loads) {
      try {
        pairs.run(load).forEach(report::add);
      } catch (Exception e) {
        isWhole = false;
        System.out.println(load.name() + " failed: " + e);
        e.printStackTrace();
      }
    }
    if (!plan.equals(Plan.TRY) && !report.isEmpty()) {
      report.write(place.results, plan.name());
    }
    return isWhole;
  }
}
