package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each disk call of a log's life fails once: opening, appends, rolls, reads, flushes, retention and
 * the stop. What was taken stays, in order; nothing that was refused appears.
 */
class FailingDiskTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final int BEFORE = 6;

  @ParameterizedTest
  @ValueSource(strings = {"page-cache", "fsync"})
  void one_failure_costs_no_record_that_was_taken(String durability) throws Exception {
    Map<String, String> settings =
        Map.of(
            "segment.bytes", "500",
            "index.interval.bytes", "100",
            "retention.bytes", "1500",
            "retention.ms", "-1",
            "file.delete.delay.ms", "0",
            "tidelog.durability", durability);
    long calls =
        CrashSweep.<Long>of((disk, taken) -> live(disk, taken, settings))
            .startingWith(disk -> begin(disk, settings))
            .afterEachFailure((disk, taken) -> check(disk, taken, settings));
    assertThat(calls).isGreaterThan(100);
  }

  private static void begin(SimDisk disk, Map<String, String> settings) throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, settings)) {
      for (int i = 0; i < BEFORE; i++) {
        append(lab.orders());
      }
    }
  }

  private static void live(SimDisk disk, Consumer<Long> taken, Map<String, String> settings)
      throws IOException {
    try (Lab lab = Lab.open(disk, DATA, settings).harmed()) {
      PartitionLog log = lab.orders();
      for (int i = 0; i < 16; i++) {
        try {
          taken.accept(append(log));
        } catch (IOException refused) {
          // The next one may be taken.
        }
        if (i % 4 == 3) {
          lab.scheduler.runDue();
          lab.store.enforceRetention();
          tryRead(log);
        }
      }
      lab.store.saveCheckpoints();
    } catch (LogClosedException closed) {
      throw new IOException(closed);
    }
  }

  private static void tryRead(PartitionLog log) {
    try {
      Lab.entries(log, 300);
    } catch (IOException failed) {
      // The one that was told to.
    }
  }

  private static long append(PartitionLog log) throws IOException {
    long offset = log.view().end();
    return Lab.append(log, SimClock.START_MS + offset, "value " + offset).baseOffset();
  }

  private static void check(SimDisk disk, List<Long> taken, Map<String, String> settings)
      throws IOException {
    try (Lab lab = Lab.open(disk, DATA, settings)) {
      PartitionLog log = lab.orders();
      checkContents(disk, log);
      long end = taken.isEmpty() ? BEFORE : taken.get(taken.size() - 1) + 1;
      assertThat(log.view().end()).isBetween(end, end + 1);
      append(log);
      lab.scheduler.runDue();
      checkContents(disk, log);
    }
    try (Lab lab = Lab.open(disk, DATA, settings)) {
      checkContents(disk, lab.orders());
      assertThat(lab.events).isEmpty();
      assertThat(disk.list(FOLDER)).noneMatch(name -> name.matches(".*\\.(tmp|new|cut|deleted)"));
    }
  }

  private static void checkContents(SimDisk disk, PartitionLog log) throws IOException {
    long offset = log.view().start();
    for (Lab.Entry entry : Lab.entries(log, 300)) {
      assertThat(entry)
          .isEqualTo(new Lab.Entry(offset, SimClock.START_MS + offset, null, "value " + offset));
      offset++;
    }
    assertThat(offset).isEqualTo(log.view().end());
    FullScan.of(disk, FOLDER).agreesWith(log);
  }
}
