package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.SweepCase.How;
import io.tidelog.broker.SweepCase.Stop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The broker on damaged directories. The gate takes a sample of each kind of file and damage, by a
 * seed that is printed, and the cases of which it is known that Kafka falls for them; {@code ./dev
 * sweep} takes every byte.
 */
class BrokerSweepTest {
  private static final int SAMPLES = Integer.getInteger("sweep.samples", 3);
  private static final boolean WHOLE = Boolean.getBoolean("sweep.whole");

  /** Kinds of files that no start reads. */
  private static final Set<String> UNREAD = Set.of(".lock", "metadata .deleted");

  @Test
  void the_broker_serves_what_was_written_and_nothing_else_or_says_why_not() throws IOException {
    long seed = Long.getLong("sweep.seed", System.nanoTime() & 0xffff);
    BrokerSweep sweep = BrokerSweep.of(SweptDirectory.build());
    List<SweepCase> cases = cases(sweep.files(), new SplittableRandom(seed));
    Map<String, List<String>> faults = new TreeMap<>();
    for (SweepCase damage : cases) {
      List<String> found = sweep.faults(damage);
      if (!found.isEmpty()) {
        faults.put(damage.toString(), found);
      }
    }
    System.out.printf("%d starts on damaged directories, sweep.seed=%d%n", cases.size(), seed);
    faults.forEach((damage, found) -> System.out.println("SWEEP " + damage + ": " + found));
    assertThat(faults).isEmpty();
  }

  private static List<SweepCase> cases(Map<Path, byte[]> files, SplittableRandom random) {
    Map<String, List<Path>> kinds = new TreeMap<>();
    files.keySet().stream()
        .filter(file -> !UNREAD.contains(SweepCase.kind(file)))
        .forEach(
            file ->
                kinds.computeIfAbsent(SweepCase.kind(file), kind -> new ArrayList<>()).add(file));
    List<SweepCase> cases = new ArrayList<>();
    for (Stop stop : Stop.values()) {
      for (List<Path> ofKind : kinds.values()) {
        ofKind.forEach(file -> addWhole(file, files.get(file).length, stop, cases));
        if (WHOLE) {
          ofKind.forEach(file -> addEachByte(file, files.get(file).length, stop, cases));
        } else {
          addSome(ofKind, files, stop, random, cases);
        }
      }
    }
    return cases;
  }

  private static void addWhole(Path file, int sizeBytes, Stop stop, List<SweepCase> cases) {
    cases.add(new SweepCase(How.DELETE, file, 0, stop));
    if (sizeBytes > 0) {
      cases.add(new SweepCase(How.ZERO, file, 0, stop));
    }
    if (file.toString().endsWith(".index")) {
      cases.add(new SweepCase(How.APPEND_ENTRY, file, 0, stop));
    }
  }

  private static void addEachByte(Path file, int sizeBytes, Stop stop, List<SweepCase> cases) {
    for (int at = 0; at < sizeBytes; at++) {
      cases.add(new SweepCase(How.FLIP, file, at, stop));
      cases.add(new SweepCase(How.CUT, file, at, stop));
    }
  }

  private static void addSome(
      List<Path> ofKind,
      Map<Path, byte[]> files,
      Stop stop,
      SplittableRandom random,
      List<SweepCase> cases) {
    for (int i = 0; i < SAMPLES; i++) {
      Path file = ofKind.get(random.nextInt(ofKind.size()));
      int sizeBytes = files.get(file).length;
      if (sizeBytes > 0) {
        cases.add(new SweepCase(How.FLIP, file, random.nextInt(sizeBytes), stop));
        cases.add(new SweepCase(How.CUT, file, random.nextInt(sizeBytes), stop));
      }
    }
  }
}
