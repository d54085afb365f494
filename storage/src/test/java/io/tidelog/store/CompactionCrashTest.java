package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.log.PartitionLog;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Power cuts at every disk call while a log is compacted, its old segments removed and the store
 * stopped; and again at every call of the start that finds what such a cut left. Each key keeps its
 * latest value, no offset is another record's, and nothing is left over.
 */
class CompactionCrashTest {
  private static final Path DATA = Path.of("/data");
  private static final Map<String, String> SETTINGS =
      Map.of(
          "cleanup.policy", "compact",
          "segment.bytes", "700",
          "index.interval.bytes", "150",
          "delete.retention.ms", "1000",
          "file.delete.delay.ms", "0");

  /** Few keys fit, so that there are several passes. */
  private static final CleanerSettings CLEANER =
      new CleanerSettings(
          CleanerSettings.Schedule.ON_REQUEST, 1, 8 * 24, 0.9, 8192, Double.MAX_VALUE, 15_000);

  private static final KeyedModel MODEL = expected();

  @Test
  void a_cut_at_any_call_leaves_each_key_its_latest_value() throws Exception {
    long cuts =
        CrashSweep.<Long>of(CompactionCrashTest::compactTwice)
            .startingWith(CompactionCrashTest::write)
            .seeds(1)
            .afterEachCut((disk, acknowledged) -> checkAndGoOn(disk));
    assertThat(cuts).isGreaterThan(100);
  }

  @Test
  void a_cut_during_the_recovery_of_any_cut_does_too() throws Exception {
    long cuts =
        CrashSweep.<Long>of(CompactionCrashTest::compactOnce)
            .startingWith(CompactionCrashTest::write)
            .seeds(1)
            .everyFirstCut(7)
            .afterEachCutTwice(
                disk -> {
                  try (Lab lab = lab(disk)) {
                    lab.scheduler.runDue();
                  }
                },
                (disk, acknowledged) -> checkAndGoOn(disk));
    assertThat(cuts).isGreaterThan(100);
  }

  @Test
  void a_call_that_fails_costs_nothing_either() throws Exception {
    CrashSweep.<Long>of(CompactionCrashTest::compactOnce)
        .startingWith(CompactionCrashTest::write)
        .afterEachFailure((disk, acknowledged) -> checkAndGoOn(disk));
  }

  private static Lab lab(Disk disk) throws IOException {
    return Lab.open(disk, DATA, new SimClock(), SETTINGS, CLEANER);
  }

  /** Writes what is always the same, and says what must be there. */
  private static KeyedModel write(Lab lab) throws IOException {
    KeyedModel model = new KeyedModel();
    KeyedWriters writers = new KeyedWriters(model);
    RandomGenerator random = new SplittableRandom(3);
    PartitionLog log = lab.orders();
    for (int i = 0; i < 24; i++) {
      writers.does(KeyedOp.random(random), log, lab.clock);
    }
    for (int i = 0; i < 12; i++) {
      writers.does(new KeyedOp(KeyedOp.Kind.ABORT, i), log, lab.clock);
    }
    return model;
  }

  private static void write(SimDisk disk) throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = lab(disk)) {
      write(lab);
    }
  }

  private static KeyedModel expected() {
    SimDisk disk = new SimDisk(1);
    try {
      disk.createDirectories(DATA);
      try (Lab lab = lab(disk)) {
        return write(lab);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compactOnce(SimDisk disk, Consumer<Long> acknowledge) throws IOException {
    try (Lab lab = lab(disk).harmed()) {
      lab.compact();
      lab.scheduler.runDue();
    }
  }

  private static void compactTwice(SimDisk disk, Consumer<Long> acknowledge) throws IOException {
    try (Lab lab = lab(disk)) {
      lab.compact();
      lab.clock.advanceMs(2_000);
      lab.compact();
      lab.scheduler.runDue();
    }
  }

  private static void checkAndGoOn(SimDisk disk) throws IOException {
    KeyedModel model = MODEL;
    long end;
    try (Lab lab = lab(disk)) {
      PartitionLog log = lab.orders();
      end = log.view().end();
      assertThat(end).isEqualTo(model.end());
      model.check(log);
      assertThat(disk.list(log.directory()))
          .noneMatch(name -> name.matches(".*\\.(cleaned|swap|deleted|new|tmp|cut)"));
      assertThat(lab.events).noneMatch(event -> event.startsWith("FAILED"));
      lab.clock.advanceMs(5_000);
      lab.compact();
      model.check(log);
      assertThat(lab.store.compactor().uncleanable()).isEmpty();
      lab.scheduler.runDue();
    }
    try (Lab lab = lab(disk)) {
      PartitionLog log = lab.orders();
      assertThat(log.view().end()).isEqualTo(end);
      model.check(log);
      assertThat(disk.list(log.directory()))
          .noneMatch(name -> name.matches(".*\\.(cleaned|swap|deleted|new|tmp|cut)"));
      assertThat(Lab.append(log, lab.clock.millis(), "k1:later").baseOffset()).isEqualTo(end);
    }
  }
}
