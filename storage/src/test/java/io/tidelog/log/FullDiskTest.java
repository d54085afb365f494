package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.disk.DiskFullException;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.PowerCut;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A full disk refuses appends one by one: a refused one leaves nothing behind, and when there is
 * room again the next one is taken.
 */
class FullDiskTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final long MUCH = 1 << 30;
  private static final int RECORDS = 30;

  private final SimDisk disk = new SimDisk(1);

  @ParameterizedTest
  @ValueSource(strings = {"page-cache", "fsync"})
  void however_little_room_there_is_what_was_taken_is_there_and_what_was_refused_is_not(
      String durability) throws IOException {
    Map<String, String> settings =
        Map.of(
            "segment.bytes", "700",
            "index.interval.bytes", "100",
            "flush.messages", "7",
            "tidelog.durability", durability);
    for (long room = 0; room < 5000; room += 23) {
      SimDisk small = emptyLog(settings);
      try (Lab lab = Lab.open(small, DATA, settings)) {
        List<String> taken = appendWithin(small, lab, room);
        lab.scheduler.advanceMs(10_000);
        assertThat(Lab.values(lab.orders())).as("with room for %d bytes", room).isEqualTo(taken);
        assertThat(lab.orders().isClosed()).isFalse();
        FullScan.of(small, FOLDER).agreesWith(lab.orders());
        assertThat(lab.orders().view().highWatermark()).isEqualTo(taken.size());
      }
      small.close();
      try (Lab lab = Lab.open(small, DATA, settings)) {
        FullScan.of(small, FOLDER).agreesWith(lab.orders());
        assertThat(lab.events).as("with room for %d bytes", room).isEmpty();
      }
    }
  }

  private static SimDisk emptyLog(Map<String, String> settings) throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, settings)) {
      assertThat(lab.orders().view().end()).isZero();
    }
    return disk.restart(1);
  }

  /** Appends on a disk with that much room, then with plenty; answers what was taken. */
  private static List<String> appendWithin(SimDisk disk, Lab lab, long room) throws IOException {
    List<String> taken = new ArrayList<>();
    disk.limitSpace(room);
    for (int i = 0; i < RECORDS; i++) {
      if (i == RECORDS - 5) {
        disk.limitSpace(MUCH);
      }
      String value = "value " + i + " " + "x".repeat(i % 7 * 10);
      long end = lab.orders().view().end();
      try {
        Lab.append(lab.orders(), SimClock.START_MS + i, value);
        taken.add(value);
      } catch (DiskFullException full) {
        assertThat(i).isLessThan(RECORDS - 5);
        if (lab.orders().view().end() > end) {
          taken.add(value);
        }
      }
      lab.scheduler.runDue();
    }
    return taken;
  }

  @Test
  void an_index_that_cannot_be_written_does_not_hold_an_append_up() throws IOException {
    Map<String, String> settings = Map.of("index.interval.bytes", "0");
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, settings)) {
      PartitionLog log = lab.orders();
      Lab.append(log, SimClock.START_MS, "first");
      disk.failWhen(call -> call.path().toString().endsWith("index"));
      for (int i = 0; i < 2000; i++) {
        Lab.append(log, SimClock.START_MS + i, "v" + i);
      }
      disk.heal();
      assertThat(disk.sizeBytes(FOLDER.resolve("00000000000000000000.index"))).isZero();
      assertThat(log.offsetAtTime(SimClock.START_MS + 1500, ReadUpTo.LOG_END).offset())
          .isEqualTo(1501);
    }
    assertThat(disk.sizeBytes(FOLDER.resolve("00000000000000000000.index"))).isEqualTo(8 * 2000);
    try (Lab lab = Lab.open(disk, DATA, settings)) {
      assertThat(Lab.values(lab.orders())).hasSize(2001);
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void a_flush_that_finds_no_room_for_the_epochs_makes_the_records_durable_nevertheless()
      throws IOException {
    Map<String, String> settings = Map.of("tidelog.durability", "fsync");
    disk.createDirectories(DATA);
    disk.syncDirectory(Path.of("/"));
    SimDisk after;
    try (Lab lab = Lab.open(disk, DATA, settings)) {
      PartitionLog log = lab.orders();
      Lab.append(log, SimClock.START_MS, "first");
      disk.limitSpace(0);
      lab.scheduler.runDue();
      assertThat(log.view().highWatermark()).isEqualTo(1);
      assertThat(log.recoveryPoint()).isZero();
      after = disk.crash(3);
    } catch (PowerCut expected) {
      after = disk.crash(3);
    }
    try (Lab lab = Lab.open(after, DATA, settings)) {
      assertThat(Lab.values(lab.orders())).containsExactly("first");
      assertThat(lab.orders().latestEpoch()).isZero();
      after.limitSpace(MUCH);
    }
  }

  @Test
  void a_stop_on_a_full_disk_is_not_taken_for_a_clean_one() throws IOException {
    disk.createDirectories(DATA);
    Lab lab = Lab.open(disk, DATA, Map.of());
    Lab.append(lab.orders(), SimClock.START_MS, "first");
    disk.limitSpace(0);
    assertThatThrownBy(lab::close).isInstanceOf(DiskFullException.class);
    disk.limitSpace(MUCH);
    try (Lab again = Lab.open(disk, DATA, Map.of())) {
      assertThat(again.store.wasStoppedCleanly()).isFalse();
      assertThat(Lab.values(again.orders())).containsExactly("first");
    }
  }
}
