package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.log.OffsetAtTime;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Power cuts at every disk call of a log's life. Record n has the value "value n" and its own
 * timestamp.
 */
class LogCrashTest {
  private static final Path DATA = Path.of("/data");
  private static final Map<String, String> FSYNC =
      Map.of(
          "segment.bytes", "600",
          "index.interval.bytes", "100",
          "retention.ms", "-1",
          "file.delete.delay.ms", "0",
          "tidelog.durability", "fsync");

  /** What was promised. */
  private sealed interface Fact {
    /** All records below this offset are on disk. */
    record Durable(long end) implements Fact {}

    /** Records below this offset may not be seen any more. */
    record Start(long offset) implements Fact {}
  }

  @Test
  void nothing_acknowledged_as_durable_is_lost_and_the_log_is_a_prefix() throws Exception {
    long cuts =
        CrashSweep.<Fact>of(LogCrashTest::appendRollFlushAndClose)
            .startingWith(disk -> disk.createDirectories(DATA))
            .seeds(8)
            .afterEachCut(LogCrashTest::checkAndGoOn);
    assertThat(cuts).isGreaterThan(50);
  }

  @Test
  void retention_and_deleteRecords_survive_a_cut_at_any_call() throws Exception {
    long cuts =
        CrashSweep.<Fact>of(LogCrashTest::dropAndDelete)
            .startingWith(LogCrashTest::twentyRecords)
            .seeds(8)
            .afterEachCut(LogCrashTest::checkAndGoOn);
    assertThat(cuts).isGreaterThan(30);
  }

  @Test
  void recovery_itself_survives_a_cut_at_any_call() throws Exception {
    CrashSweep.<Fact>of((disk, acknowledge) -> lab(disk).close())
        .startingWith(
            disk -> {
              twentyRecords(disk);
              disk.delete(DATA.resolve(".kafka_cleanshutdown"));
              disk.delete(DATA.resolve("recovery-point-offset-checkpoint"));
            })
        .seeds(4)
        .afterEachCut((disk, acknowledged) -> checkAndGoOn(disk, List.of(new Fact.Durable(20))));
  }

  private static void appendRollFlushAndClose(SimDisk disk, Consumer<Fact> acknowledge)
      throws IOException {
    Lab lab = lab(disk);
    PartitionLog log = lab.orders();
    for (int round = 0; round < 6; round++) {
      appendOne(log);
      appendOne(log);
      lab.scheduler.runDue();
      acknowledge.accept(new Fact.Durable(log.view().highWatermark()));
    }
    lab.store.saveCheckpoints();
    appendOne(log);
    long end = log.view().end();
    lab.close();
    acknowledge.accept(new Fact.Durable(end));
  }

  private static void dropAndDelete(SimDisk disk, Consumer<Fact> acknowledge) throws IOException {
    acknowledge.accept(new Fact.Durable(20));
    Lab lab = lab(disk);
    PartitionLog log = lab.orders();
    log.advanceStart(5);
    acknowledge.accept(new Fact.Start(5));
    lab.store.enforceRetention();
    lab.scheduler.runDue();
    log.advanceStart(13);
    acknowledge.accept(new Fact.Start(13));
    appendOne(log);
    lab.store.enforceRetention();
    lab.scheduler.runDue();
    lab.close();
  }

  private static void twentyRecords(Disk disk) throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = lab(disk)) {
      for (int i = 0; i < 20; i++) {
        appendOne(lab.orders());
      }
    }
  }

  private static void checkAndGoOn(SimDisk disk, List<Fact> acknowledged) throws IOException {
    long durable = 0;
    long start = 0;
    for (Fact fact : acknowledged) {
      durable = fact instanceof Fact.Durable d ? d.end() : durable;
      start = fact instanceof Fact.Start s ? s.offset() : start;
    }
    boolean isHalfMoved;
    try (Lab lab = lab(disk).leaving(FindingKind.TOPIC_ID_MISSING)) {
      PartitionLog log = lab.orders();
      isHalfMoved = lab.events.stream().anyMatch(line -> line.contains(" begins at offset "));
      assertThat(log.view().start())
          .isGreaterThanOrEqualTo(start)
          .isLessThanOrEqualTo(Math.max(start, 13));
      assertThat(log.view().end()).isGreaterThanOrEqualTo(durable);
      checkContents(log);
      appendOne(log);
      checkContents(log);
    }
    try (Lab lab = lab(disk).leaving(FindingKind.TOPIC_ID_MISSING)) {
      assertThat(lab.events).isEmpty();
      checkContents(lab.orders());
      assertThat(disk.list(lab.orders().directory()))
          .noneMatch(name -> name.matches(".*\\.(tmp|new|deleted)"))
          .noneMatch(name -> name.endsWith(".cut") && !isHalfMoved);
    }
  }

  /** Every record from the start to the end is there, and every search finds it. */
  private static void checkContents(PartitionLog log) throws IOException {
    List<Lab.Entry> entries = Lab.entries(log, 200);
    long offset = log.view().start();
    for (Lab.Entry entry : entries) {
      assertThat(entry)
          .isEqualTo(new Lab.Entry(offset, timestamp(offset), null, "value " + offset));
      assertThat(log.offsetAtTime(timestamp(offset), ReadUpTo.LOG_END))
          .isEqualTo(new OffsetAtTime(offset, timestamp(offset), 0));
      offset++;
    }
    assertThat(offset).isEqualTo(log.view().end());
    assertThat(log.offsetAtTime(timestamp(offset), ReadUpTo.LOG_END)).isEqualTo(OffsetAtTime.NONE);
  }

  private static void appendOne(PartitionLog log) throws IOException {
    long offset = log.view().end();
    Lab.append(log, timestamp(offset), "value " + offset);
  }

  private static long timestamp(long offset) {
    return SimClock.START_MS - 1_000_000 + offset;
  }

  private static Lab lab(Disk disk) throws IOException {
    return Lab.open(disk, DATA, FSYNC);
  }
}
