package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.AppendSource;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.Compression;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Wherever the power goes while a partition is moved to another data directory, the next start
 * finds it in exactly one of them, with all that was acknowledged and nothing that was deleted.
 */
class MovedPartitionCrashTest {
  private static final Map<String, String> FSYNC =
      Map.of(
          "tidelog.durability", "fsync", "segment.bytes", "2000", "file.delete.delay.ms", "1000");
  private static final int OLD_RECORDS = 8;
  private static final int START = 3;

  @Test
  void it_is_in_one_place_and_complete() throws Exception {
    long cuts =
        CrashSweep.<Long>of(MovedPartitionCrashTest::move)
            .startingWith(MovedPartitionCrashTest::prepare)
            .seeds(6)
            .afterEachCut(MovedPartitionCrashTest::check);
    assertThat(cuts).isGreaterThan(60);
  }

  @Test
  void it_is_in_one_place_and_complete_after_a_start_that_is_cut_too() throws Exception {
    long[] lastCut = {0};
    CrashSweep.<Long>of(MovedPartitionCrashTest::startAgain)
        .startingWith(MovedPartitionCrashTest::leaveBetweenTheRenames)
        .afterEachCut(
            (disk, durable) -> {
              lastCut[0]++;
              check(disk, List.of((long) OLD_RECORDS));
              assertThat(disk.isDirectory(TwoDirectories.SECOND.resolve("orders-0"))).isTrue();
            });
    assertThat(lastCut[0]).isGreaterThan(10);
  }

  @Test
  void it_is_in_one_place_and_complete_after_any_call_that_fails() throws Exception {
    long calls =
        CrashSweep.<Long>of(MovedPartitionCrashTest::moveOnAFailingDisk)
            .startingWith(MovedPartitionCrashTest::prepare)
            .afterEachFailure(MovedPartitionCrashTest::check);
    assertThat(calls).isGreaterThan(100);
  }

  private static void moveOnAFailingDisk(SimDisk disk, Consumer<Long> durable) throws IOException {
    try (TwoDirectories two = TwoDirectories.open(disk, FSYNC)) {
      PartitionLog log = two.orders();
      durable.accept(log.view().highWatermark());
      append(log, 1);
      two.moveTo(TwoDirectories.SECOND);
      durable.accept(log.view().highWatermark());
      append(log, 1);
      two.scheduler.advanceMs(60_000);
      durable.accept(log.view().highWatermark());
    } catch (LogClosedException itsDiskFailed) {
      throw new IOException(itsDiskFailed);
    }
  }

  private static void prepare(SimDisk disk) throws IOException {
    try (TwoDirectories two = TwoDirectories.open(disk, FSYNC)) {
      append(two.orders(), OLD_RECORDS);
      two.scheduler.runDue();
      two.orders().advanceStart(START);
    }
  }

  private static void move(SimDisk disk, Consumer<Long> durable) throws IOException {
    try (TwoDirectories two = TwoDirectories.open(disk, FSYNC)) {
      PartitionLog log = two.orders();
      durable.accept(log.view().highWatermark());
      append(log, 1);
      two.store.move(Lab.ORDERS, TwoDirectories.SECOND, () -> {});
      for (int i = 0; i < 4; i++) {
        two.scheduler.runNext();
        append(log, 1);
        durable.accept(log.view().highWatermark());
      }
      two.scheduler.runDue();
      assertThat(log.directory().getParent()).isEqualTo(TwoDirectories.SECOND);
      durable.accept(log.view().highWatermark());
      append(log, 2);
      two.scheduler.runDue();
      durable.accept(log.view().highWatermark());
      two.scheduler.advanceMs(60_000);
    }
  }

  /** The state that only a power cut between the two renames leaves. */
  private static void leaveBetweenTheRenames(SimDisk disk) throws IOException {
    try (TwoDirectories two = TwoDirectories.open(disk, FSYNC)) {
      append(two.orders(), OLD_RECORDS);
      two.scheduler.runDue();
      two.orders().advanceStart(START);
      two.moveTo(TwoDirectories.SECOND);
    }
    String aside =
        disk.list(TwoDirectories.FIRST).stream()
            .filter(name -> name.endsWith("-delete"))
            .findFirst()
            .orElseThrow();
    disk.rename(
        TwoDirectories.SECOND.resolve("orders-0"),
        TwoDirectories.SECOND.resolve(aside.replace("-delete", "-future")));
  }

  private static void startAgain(SimDisk disk, Consumer<Long> durable) throws IOException {
    try (TwoDirectories two = TwoDirectories.open(disk, FSYNC)) {
      assertThat(two.events).anyMatch(event -> event.contains("interrupted at the end"));
    }
  }

  private static void check(SimDisk disk, List<Long> durable) throws IOException {
    try (TwoDirectories two = TwoDirectories.open(disk, FSYNC)) {
      assertThat(two.folders()).hasSize(1).allMatch(folder -> folder.endsWith("/orders-0"));
      PartitionLog log = two.store.find(Lab.ORDERS).orElseThrow();
      assertThat(log.topicId()).isEqualTo(Lab.ORDERS_ID);
      assertThat(log.view().start()).isEqualTo(START);
      long least = durable.isEmpty() ? OLD_RECORDS : durable.get(durable.size() - 1);
      assertThat(log.view().end()).isGreaterThanOrEqualTo(least);
      assertThat(log.latestEpoch()).isEqualTo(1);
      requireSound(log);
      append(log, 1);
      requireSound(log);
    }
  }

  private static void requireSound(PartitionLog log) throws IOException {
    long offset = log.view().start();
    for (String value : Lab.values(log)) {
      assertThat(value).isEqualTo(value(offset++));
    }
    assertThat(offset).isEqualTo(log.view().end());
  }

  private static void append(PartitionLog log, int records) throws IOException {
    for (int i = 0; i < records; i++) {
      log.append(
          Lab.batch(Compression.NONE, SimClock.START_MS, value(log.view().end())),
          1,
          AppendSource.CLIENT);
    }
  }

  private static String value(long offset) {
    return offset + "x".repeat(700);
  }
}
