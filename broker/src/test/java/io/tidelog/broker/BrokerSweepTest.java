package io.tidelog.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.broker.SweepCase.How;
import io.tidelog.broker.SweepCase.Stop;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  @Test
  void the_broker_serves_what_was_written_and_nothing_else_or_says_why_not() throws IOException {
    long seed = Long.getLong("sweep.seed", System.nanoTime() & 0xffff);
    BrokerSweep sweep = BrokerSweep.of(SweptDirectory.build());
    List<SweepCase> cases = sample(sweep.files(), new SplittableRandom(seed));
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

  private static List<SweepCase> sample(Map<Path, byte[]> files, SplittableRandom random) {
    Map<String, List<Path>> kinds = new TreeMap<>();
    files.keySet().forEach(path -> kinds.computeIfAbsent(SweepCase.kind(path), k -> new ArrayList<>()).add(path));
    List<SweepCase> cases = new ArrayList<>();
    for (Stop stop : Stop.values()) {
      for (List<Path> ofKind : kinds.values()) {
        for (Path file : ofKind) {
          int size = files.get(file).length;
          cases.add(new SweepCase(How.DELETE, file, 0, stop));
          if (size > 0) {
            cases.add(new SweepCase(How.ZERO, file, 0, stop));
          }
          if (file.toString().endsWith(".index")) {
            cases.add(new SweepCase(How.APPEND_ENTRY, file, 0, stop));
          }
        }
        for (int i = 0; i < SAMPLES; i++) {
          Path file = ofKind.get(random.nextInt(ofKind.size()));
          int size = files.get(file).length;
          if (size > 0) {
            cases.add(new SweepCase(How.FLIP, file, random.nextInt(size), stop));
            cases.add(new SweepCase(How.CUT, file, random.nextInt(size), stop));
          }
        }
      }
    }
    return cases;
  }
}
