package io.tidelog.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.disk.DiskFullException;
import io.tidelog.store.Lab;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The power is cut at every disk call of a repair; repairing again completes it: the directory
 * verifies, no record that could be read is lost, and what was cut is in quarantine.
 */
class RepairCrashTest {
  private static final Path PARTITION = SmallDirectory.DATA.resolve("orders-0");
  private static final Path FIRST = PARTITION.resolve("00000000000000000000.log");
  private static final byte[] GARBAGE = "not a batch".getBytes(StandardCharsets.US_ASCII);

  private static SmallDirectory directory;

  @BeforeAll
  static void make() throws IOException {
    directory = SmallDirectory.make();
  }

  /** A log whose batches with these numbers have garbage in their records. */
  private static byte[] withDamagedBatches(Path log, int... numbers) {
    byte[] bytes = directory.files().get(log).clone();
    List<SmallDirectory.Batch> batches = directory.batchesOf(log);
    for (int number : numbers) {
      System.arraycopy(GARBAGE, 0, bytes, batches.get(number).from() + 20, GARBAGE.length);
    }
    return bytes;
  }

  private static LongPredicate in(Path log, int... numbers) {
    List<SmallDirectory.Batch> batches = directory.batchesOf(log);
    return offset -> Arrays.stream(numbers).anyMatch(n -> batches.get(n).holds(offset));
  }

  private static void sweep(Map<Path, byte[]> damage, LongPredicate lost) throws Exception {
    long cuts =
        CrashSweep.<String>of((disk, facts) -> repair(disk))
            .startingWith(disk -> directory.writeTo(disk, damage))
            .seeds(3)
            .sideBySide()
            .afterEachCut((disk, facts) -> check(disk, damage, lost));
    assertThat(cuts).isGreaterThan(5);
  }

  private static void repair(SimDisk disk) throws IOException {
    Repair.Plan left = SmallDirectory.repair(disk).apply(SmallDirectory.QUARANTINE, step -> {});
    assertThat(left.isSound()).as("%s", left).isTrue();
  }

  private static void check(SimDisk disk, Map<Path, byte[]> damage, LongPredicate lost)
      throws IOException {
    repair(disk);
    for (Map.Entry<Path, byte[]> damaged : damage.entrySet()) {
      assertKept(disk, damaged.getKey(), damaged.getValue());
    }
    try (Lab lab = Lab.open(disk, SmallDirectory.DATA, new SimClock(), SmallDirectory.SETTINGS)) {
      long end = lab.orders().view().end();
      Lab.append(lab.orders(), SimClock.START_MS, "after");
      List<Lab.Entry> found = Lab.entries(lab.orders(), 4096);
      assertThat(found.subList(0, found.size() - 1))
          .containsExactlyElementsOf(
              directory.entries().stream().filter(e -> !lost.test(e.offset())).toList());
      assertThat(found).last().matches(entry -> entry.offset() == end);
      assertThat(end).isEqualTo(18);
    }
  }

  /** The garbage, and all of a file that is nothing else, is in some copy. */
  private static void assertKept(SimDisk disk, Path file, byte[] damaged) throws IOException {
    byte[] wanted = file.toString().endsWith(".log") ? GARBAGE : damaged;
    assertThat(copies(disk, SmallDirectory.QUARANTINE, file.getFileName().toString()))
        .as("copies of %s", file)
        .anyMatch(copy -> text(copy).contains(text(wanted)));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static List<byte[]> copies(SimDisk disk, Path folder, String name) throws IOException {
    List<byte[]> copies = new java.util.ArrayList<>();
    if (disk.isDirectory(folder)) {
      for (String entry : disk.list(folder)) {
        Path path = folder.resolve(entry);
        if (disk.isDirectory(path)) {
          copies.addAll(copies(disk, path, name));
        } else if (entry.startsWith(name)) {
          copies.add(SmallDirectory.bytes(disk, path));
        }
      }
    }
    return copies;
  }

  @Test
  void damage_in_the_middle_is_bracketed() throws Exception {
    sweep(Map.of(FIRST, withDamagedBatches(FIRST, 1)), in(FIRST, 1));
  }

  @Test
  void two_damaged_stretches_leave_three_logs() throws Exception {
    sweep(Map.of(FIRST, withDamagedBatches(FIRST, 0, 2)), in(FIRST, 0, 2));
  }

  @Test
  void a_damaged_end_is_cut_and_its_offsets_are_not_used_again() throws Exception {
    int batch = directory.batchesOf(directory.lastLog()).size() - 1;
    sweep(
        Map.of(directory.lastLog(), withDamagedBatches(directory.lastLog(), batch)),
        in(directory.lastLog(), batch));
  }

  @Test
  void damaged_caches_and_checkpoints_are_made_again() throws Exception {
    Map<Path, byte[]> damage = new HashMap<>();
    for (Path file : directory.files().keySet()) {
      String name = file.getFileName().toString();
      boolean isCheckpoint =
          Arrays.stream(OffsetCheckpoint.Kind.values())
              .filter(kind -> kind != OffsetCheckpoint.Kind.LOG_START)
              .anyMatch(kind -> kind.fileName().equals(name));
      if (isCheckpoint
          || name.endsWith(".index")
          || name.endsWith(".timeindex")
          || name.endsWith(".txnindex")
          || name.endsWith(".snapshot")
          || name.equals("leader-epoch-checkpoint")) {
        damage.put(file, GARBAGE);
      }
    }
    sweep(damage, offset -> false);
  }

  @Test
  void a_full_disk_stops_a_repair_and_the_next_one_completes_it() throws IOException {
    Map<Path, byte[]> damage = Map.of(FIRST, withDamagedBatches(FIRST, 0, 2));
    long stopped = 0;
    for (long room = 0; stopped == room / 40; room += 40) {
      SimDisk disk = new SimDisk(1, new SimClock());
      directory.writeTo(disk, damage);
      disk.limitSpace(room);
      try {
        repair(disk);
      } catch (DiskFullException full) {
        stopped++;
      }
      disk.limitSpace(1 << 20);
      check(disk, damage, in(FIRST, 0, 2));
      disk.close();
    }
    assertThat(stopped).isGreaterThan(5);
  }
}
