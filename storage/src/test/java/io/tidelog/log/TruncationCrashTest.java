package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.Compression;
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
 * Power cuts at every disk call of a truncation and of the appends that follow it. Old and new
 * records have the same size, so that one could stand in the place of the other; each batch is
 * larger than a sector.
 */
class TruncationCrashTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final int OLD_RECORDS = 12;
  private static final int CUT_AT = 5;
  private static final String PADDING = "x".repeat(700);

  /** What was promised. */
  private enum Fact {
    CUT,
    THREE_NEW_ONES_ARE_DURABLE,
    SIX_NEW_ONES_ARE_DURABLE
  }

  @ParameterizedTest
  @ValueSource(strings = {"100000", "2000"})
  void what_was_cut_never_stands_behind_what_came_after_it(String segmentBytes) throws Exception {
    long cuts =
        CrashSweep.<Fact>of((disk, facts) -> cutAndAppend(disk, facts, segmentBytes))
            .startingWith(disk -> writeOld(disk, segmentBytes))
            .seeds(12)
            .sideBySide()
            .afterEachCut((disk, facts) -> check(disk, facts, segmentBytes));
    assertThat(cuts).isGreaterThan(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"100000", "2000"})
  void a_truncation_that_fails_closes_the_log_and_the_next_start_finds_it_sound(String segmentBytes)
      throws Exception {
    long calls =
        CrashSweep.<Fact>of((disk, facts) -> cutAndAppend(disk, facts, segmentBytes))
            .startingWith(disk -> writeOld(disk, segmentBytes))
            .afterEachFailure((disk, facts) -> check(disk, facts, segmentBytes));
    assertThat(calls).isGreaterThan(20);
  }

  private static void writeOld(SimDisk disk, String segmentBytes) throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = lab(disk, segmentBytes)) {
      for (int i = 0; i < OLD_RECORDS; i++) {
        append(lab.orders(), 0, "old");
      }
    }
  }

  private static void cutAndAppend(SimDisk disk, Consumer<Fact> facts, String segmentBytes)
      throws IOException {
    try (Lab lab = lab(disk, segmentBytes).harmed()) {
      PartitionLog log = lab.orders();
      log.truncateTo(CUT_AT);
      facts.accept(Fact.CUT);
      for (Fact fact : List.of(Fact.THREE_NEW_ONES_ARE_DURABLE, Fact.SIX_NEW_ONES_ARE_DURABLE)) {
        for (int i = 0; i < 3; i++) {
          append(log, 1, "new");
        }
        lab.scheduler.runDue();
        if (log.view().highWatermark() == log.view().end()) {
          facts.accept(fact);
        }
      }
      lab.store.saveCheckpoints();
      append(log, 1, "new");
    } catch (LogClosedException closed) {
      throw new IOException(closed);
    }
  }

  private static void check(SimDisk disk, List<Fact> facts, String segmentBytes)
      throws IOException {
    try (Lab lab = lab(disk, segmentBytes)) {
      PartitionLog log = lab.orders();
      List<String> values = Lab.values(log).stream().map(v -> v.substring(0, 3)).toList();
      boolean isAllOld = !values.contains("new");
      int leastNew =
          facts.contains(Fact.SIX_NEW_ONES_ARE_DURABLE)
              ? 6
              : facts.contains(Fact.THREE_NEW_ONES_ARE_DURABLE) ? 3 : 0;
      assertThat(values).hasSizeGreaterThanOrEqualTo(CUT_AT + leastNew);
      if (facts.contains(Fact.CUT) || !isAllOld) {
        assertThat(values.subList(0, CUT_AT)).containsOnly("old");
        assertThat(values.subList(CUT_AT, values.size())).doesNotContain("old");
      }
      FullScan.of(disk, FOLDER).agreesWith(log);
      assertThat(log.latestEpoch()).isEqualTo(isAllOld ? 0 : 1);
      assertThat(log.endOfEpoch(0).endOffset()).isEqualTo(isAllOld ? log.view().end() : CUT_AT);
      append(log, 2, "on ");
      assertThat(log.endOfEpoch(1).endOffset()).isEqualTo(log.view().end() - 1);
    }
    try (Lab lab = lab(disk, segmentBytes)) {
      assertThat(lab.events).isEmpty();
      FullScan.of(disk, FOLDER).agreesWith(lab.orders());
    }
  }

  private static void append(PartitionLog log, int epoch, String kind) throws IOException {
    long offset = log.view().end();
    log.append(
        Lab.batch(
            Compression.NONE, SimClock.START_MS + offset, kind + "%3d".formatted(offset) + PADDING),
        epoch,
        AppendSource.CLIENT);
  }

  private static Lab lab(SimDisk disk, String segmentBytes) throws IOException {
    return Lab.open(
        disk,
        DATA,
        Map.of(
            "segment.bytes", segmentBytes,
            "index.interval.bytes", "1000",
            "tidelog.durability", "fsync"));
  }
}
