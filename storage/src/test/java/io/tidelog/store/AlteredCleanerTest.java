package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.store.CleanerSettings.Schedule;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The settings of compaction can be altered while the store is open. */
class AlteredCleanerTest {
  private static final Path DATA = Path.of("/data");
  private static final Map<String, String> COMPACT =
      Map.of("cleanup.policy", "compact", "segment.bytes", "500");
  private static final double UNLIMITED = Double.MAX_VALUE;

  private static CleanerSettings settings(int threads, long keyBytes, double rate, long backoffMs) {
    return new CleanerSettings(Schedule.WHEN_DUE, threads, keyBytes, 0.9, 8192, rate, backoffMs);
  }

  private static Lab lab(CleanerSettings cleaner) throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(DATA);
    return Lab.open(disk, DATA, new SimClock(), COMPACT, cleaner);
  }

  private static void fill(PartitionLog log, long nowMs, int keys) throws IOException {
    for (int i = 0; i < 10 * keys; i++) {
      Lab.append(log, nowMs, "k" + i % keys + ":v" + i);
    }
  }

  private static long compactions(Lab lab) {
    return lab.events.stream().filter(event -> event.startsWith("COMPACTED")).count();
  }

  @Test
  void it_looks_for_work_as_often_as_it_is_told_and_no_more_as_it_was() throws IOException {
    try (Lab lab = lab(settings(1, 1 << 20, UNLIMITED, 3_600_000))) {
      fill(lab.orders(), lab.clock.millis(), 3);
      lab.scheduler.advanceMs(60_000);
      assertThat(compactions(lab)).isZero();
      lab.store.compactor().goBy(settings(1, 1 << 20, UNLIMITED, 100));
      lab.scheduler.advanceMs(100);
      assertThat(compactions(lab)).isOne();

      lab.store.compactor().goBy(settings(1, 1 << 20, UNLIMITED, 3_600_000));
      fill(lab.orders(), lab.clock.millis(), 3);
      lab.scheduler.advanceMs(60_000);
      assertThat(compactions(lab)).isOne();
    }
  }

  @Test
  void a_run_under_way_goes_on_at_the_new_rate() throws IOException {
    try (Lab lab = lab(settings(1, 1 << 20, 100, 1_000))) {
      fill(lab.orders(), lab.clock.millis(), 3);
      lab.scheduler.advanceMs(20_000);
      assertThat(compactions(lab)).as("some 5,000 bytes at 100 a second").isZero();
      assertThat(lab.store.compactor().isRunning(lab.orders())).isTrue();
      lab.store.compactor().goBy(settings(1, 1 << 20, UNLIMITED, 1_000));
      lab.scheduler.advanceMs(10_000);
      assertThat(compactions(lab)).isOne();
    }
  }

  @Test
  void the_next_run_has_the_new_memory() throws IOException {
    long roomForThree = 100;
    try (Lab lab = lab(settings(1, roomForThree, UNLIMITED, 3_600_000))) {
      fill(lab.orders(), lab.clock.millis(), 40);
      lab.compact();
      long passes = compactions(lab);
      assertThat(passes).as("one pass for a few keys").isGreaterThan(5);
      lab.store.compactor().goBy(settings(1, 1 << 20, UNLIMITED, 3_600_000));
      fill(lab.orders(), lab.clock.millis(), 40);
      lab.compact();
      assertThat(compactions(lab)).isEqualTo(passes + 1);
    }
  }

  @Test
  void more_logs_are_compacted_at_a_time_with_more_threads() throws IOException {
    TopicPartition other = new TopicPartition("other", 0);
    try (Lab lab = lab(settings(1, 1 << 20, 100, 1_000))) {
      PartitionLog second = lab.store.create(other, new TopicId(1, 2), LogSettings.of(COMPACT));
      fill(lab.orders(), lab.clock.millis(), 3);
      fill(second, lab.clock.millis(), 3);
      lab.scheduler.advanceMs(5_000);
      Compactor compactor = lab.store.compactor();
      assertThat(compactor.isRunning(lab.orders()) ^ compactor.isRunning(second)).isTrue();
      compactor.goBy(settings(2, 1 << 20, 100, 1_000));
      lab.scheduler.advanceMs(1_000);
      assertThat(compactor.isRunning(lab.orders()) && compactor.isRunning(second)).isTrue();
    }
  }
}
