package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is not read again after a crash, or a cut, is complete. */
class RecoveryPointCrashTest {
  private static final Path DATA = Path.of("/data");
  private static final Map<String, String> SMALL =
      Map.of("segment.bytes", "300", "index.interval.bytes", "100");

  private static SimDisk disk(long seed) throws IOException {
    SimDisk disk = new SimDisk(seed);
    disk.createDirectories(DATA);
    return disk.restart(seed);
  }

  @Test
  void a_segment_that_ends_at_the_recovery_point_gets_its_indexes_again() throws IOException {
    for (long seed = 0; seed < 20; seed++) {
      SimDisk before = disk(seed);
      Lab lab = Lab.open(before, DATA, SMALL);
      PartitionLog log = lab.orders();
      for (int i = 0; i < 4; i++) {
        Lab.append(log, SimClock.START_MS + i, "value " + i);
      }
      log.flush();
      lab.store.saveCheckpoints();
      Lab.append(log, SimClock.START_MS + 4, "rolls");
      assertThat(log.recoveryPoint()).isEqualTo(log.segments().get(1).baseOffset());

      SimDisk after = before.crash(seed);
      try (Lab again = Lab.open(after, DATA, SMALL)) {
        Lab.append(again.orders(), SimClock.START_MS + 5, "next");
        again.orders().flush();
        again.store.saveCheckpoints();
      }
      Soundness.require(after, List.of(DATA));
      SimDisk secondCrash = after.crash(seed);
      Lab.open(secondCrash, DATA, SMALL).close();
      Soundness.require(secondCrash, List.of(DATA));
    }
  }

  @Test
  void a_start_below_all_that_compaction_left_is_no_contradiction() throws IOException {
    Map<String, String> compacted =
        Map.of("cleanup.policy", "compact,delete", "retention.ms", "-1", "segment.bytes", "500");
    SimDisk disk = disk(1);
    Lab lab = Lab.open(disk, DATA, compacted);
    for (int i = 0; i < 30; i++) {
      Lab.append(lab.orders(), SimClock.START_MS, (i == 4 ? "once" : "k" + i % 3) + ":v" + i);
    }
    lab.scheduler.runDue();
    lab.orders().advanceStart(2);
    lab.compact();
    assertThat(Lab.entries(lab.orders(), 4096).get(0).offset()).isEqualTo(4);
    List<String> left = Lab.values(lab.orders());

    SimDisk after = disk.crash(1);
    Lab.open(after, DATA, compacted).close();
    try (Lab again = Lab.open(after, DATA, compacted)) {
      assertThat(again.events).noneMatch(event -> event.startsWith("FAILED"));
      assertThat(again.orders().view().start()).isEqualTo(2);
      assertThat(Lab.values(again.orders())).isEqualTo(left);
    }
  }

  @Test
  void a_cut_forgets_no_transaction_that_began_below_the_start() throws IOException {
    SimDisk disk = disk(1);
    Writers writers = new Writers();
    try (Lab lab = Lab.open(disk, DATA, Map.of())) {
      writers.transactional(21, 1, SimClock.START_MS).to(lab.orders(), 0);
      Lab.append(lab.orders(), SimClock.START_MS, "one");
      Lab.append(lab.orders(), SimClock.START_MS, "two");
      lab.scheduler.runDue();
      lab.orders().advanceStart(1);
      lab.orders().truncateTo(2);
      lab.orders().appendMarker(writers.end(21, Outcome.ABORT, TransactionProtocol.V1), 0);
      lab.scheduler.runDue();
      assertThat(lab.orders().view().stable()).isEqualTo(lab.orders().view().end());
    }
    Soundness.require(disk, List.of(DATA));
  }
}
