package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.OffsetCheckpoint;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.PartitionLog;
import io.tidelog.segment.IndexWalk;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.FindingKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a crash a log ends at its last whole batch, wherever the file was torn, and goes on from
 * there.
 */
class TornLastBatchTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final int BATCHES = 10;
  private static final int RECORDS_PER_BATCH = 3;

  /** {@code segment.bytes} for one segment, and for four batches in each. */
  private static final String ONE_SEGMENT = "1000000";

  private static final String SMALL_SEGMENTS = "400";

  @ParameterizedTest
  @CsvSource({
    ONE_SEGMENT + ",0",
    ONE_SEGMENT + ",12",
    ONE_SEGMENT + ",27",
    SMALL_SEGMENTS + ",0",
    SMALL_SEGMENTS + ",15",
    SMALL_SEGMENTS + ",27"
  })
  void cut_at_any_byte_of_the_last_batch_the_log_has_the_batches_before_it(
      String segmentBytes, long recoveryPoint) throws IOException {
    SimDisk whole = crashed(segmentBytes, recoveryPoint);
    FullScan.Batch last = FullScan.of(whole, FOLDER).lastBatch();
    for (int size = last.position(); size < last.end(); size++) {
      SimDisk disk = whole.restart(size);
      new Damage(disk).cut(last.file(), size);
      List<String> events = endsAfter(BATCHES - 1, disk, segmentBytes);
      assertThat(events).as("cut at %d", size).hasSize(size == last.position() ? 0 : 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE_SEGMENT, SMALL_SEGMENTS})
  void cut_on_a_boundary_nothing_before_it_is_lost_or_reported(String segmentBytes)
      throws IOException {
    SimDisk whole = crashed(segmentBytes, 0);
    List<FullScan.Batch> batches = FullScan.of(whole, FOLDER).batches();
    Path lastFile = batches.get(BATCHES - 1).file();
    for (int kept = 1; kept <= BATCHES; kept++) {
      FullScan.Batch batch = batches.get(kept - 1);
      if (batch.file().equals(lastFile)) {
        SimDisk disk = whole.restart(kept);
        new Damage(disk).cut(lastFile, batch.end());
        assertThat(endsAfter(kept, disk, segmentBytes)).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE_SEGMENT, SMALL_SEGMENTS})
  void any_wrong_byte_that_the_checksum_covers_ends_the_log_before_its_batch(String segmentBytes)
      throws IOException {
    SimDisk whole = crashed(segmentBytes, 0);
    FullScan.Batch last = FullScan.of(whole, FOLDER).lastBatch();
    int afterLeaderEpoch = 16;
    for (int at = last.position() + afterLeaderEpoch; at < last.end(); at++) {
      SimDisk disk = whole.restart(at);
      new Damage(disk).invert(last.file(), at);
      assertThat(endsAfter(BATCHES - 1, disk, segmentBytes))
          .as("byte %d inverted", at)
          .singleElement()
          .asString()
          .contains(last.file() + " at byte " + last.position());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 11, 12, 60, 61, 100, 511, 5000})
  void what_follows_the_last_batch_and_is_none_is_cut_off(int junkBytes) throws IOException {
    SplittableRandom random = new SplittableRandom(junkBytes);
    byte[] noise = new byte[junkBytes];
    random.nextBytes(noise);
    for (byte[] junk : List.of(new byte[junkBytes], noise)) {
      for (String segmentBytes : List.of(ONE_SEGMENT, SMALL_SEGMENTS)) {
        SimDisk disk = crashed(segmentBytes, 0);
        FullScan.Batch last = FullScan.of(disk, FOLDER).lastBatch();
        new Damage(disk).append(last.file(), junk);
        assertThat(endsAfter(BATCHES, disk, segmentBytes))
            .singleElement()
            .asString()
            .contains(last.file() + " at byte " + last.end());
      }
    }
  }

  @Test
  void where_the_last_batch_was_durable_its_offsets_are_not_given_to_other_records()
      throws IOException {
    long end = (long) BATCHES * RECORDS_PER_BATCH;
    SimDisk whole = crashed(ONE_SEGMENT, end);
    FullScan.Batch last = FullScan.of(whole, FOLDER).lastBatch();
    for (int size = last.position(); size < last.end(); size++) {
      SimDisk disk = whole.restart(size);
      new Damage(disk).cut(last.file(), size);
      try (Lab lab =
          lab(disk, ONE_SEGMENT).leaving(FindingKind.OFFSETS_MISSING, FindingKind.BATCH_DAMAGED)) {
        assertThat(lab.events).anyMatch(event -> event.contains("no record from 27 to 29"));
        assertThat(append(lab.orders())).as("cut at %d", size).isEqualTo(end);
        assertThat(Lab.bytesAt(lab.orders(), 0, 10_000).limit()).isEqualTo(last.position());
      }
      disk.close();
    }
  }

  @Test
  void torn_in_an_earlier_segment_the_log_ends_there_and_keeps_a_copy_of_what_it_cuts()
      throws IOException {
    SimDisk whole = crashed(SMALL_SEGMENTS, 0);
    List<FullScan.Batch> batches = FullScan.of(whole, FOLDER).batches();
    FullScan.Batch torn = batches.get(5);
    assertThat(torn.file()).isNotEqualTo(batches.get(0).file());
    assertThat(torn.file()).isNotEqualTo(batches.get(BATCHES - 1).file());
    new Damage(whole).invert(torn.file(), torn.end() - 1);
    assertThat(endsAfter(5, whole, SMALL_SEGMENTS)).singleElement().asString().contains(".cut");
    assertThat(whole.list(FOLDER)).anyMatch(name -> name.endsWith(".cut"));
  }

  /** Opens the log and checks that it has so many batches and goes on; answers what it reports. */
  private static List<String> endsAfter(int batches, SimDisk disk, String segmentBytes)
      throws IOException {
    long end = (long) batches * RECORDS_PER_BATCH;
    List<String> events;
    try (Lab lab = lab(disk, segmentBytes)) {
      events = List.copyOf(lab.events);
      PartitionLog log = lab.orders();
      assertThat(log.view().end()).isEqualTo(end);
      assertThat(log.view().highWatermark()).isEqualTo(end);
      FullScan onDisk = FullScan.of(disk, FOLDER);
      assertThat(onDisk.batches()).hasSize(batches);
      onDisk.agreesWith(log);
    }
    requireIndexesWithin(disk, end);
    try (Lab lab = lab(disk, segmentBytes)) {
      assertThat(append(lab.orders())).isEqualTo(end);
      FullScan.of(disk, FOLDER).agreesWith(lab.orders());
      assertThat(lab.events).isEmpty();
    }
    disk.close();
    return events;
  }

  private static void requireIndexesWithin(SimDisk disk, long end) throws IOException {
    for (String name : disk.list(FOLDER)) {
      if (name.endsWith("index")) {
        Path log = FOLDER.resolve(name.substring(0, 20) + ".log");
        requireEntriesWithin(disk, FOLDER.resolve(name), disk.sizeBytes(log), end);
      }
    }
  }

  private static void requireEntriesWithin(SimDisk disk, Path index, long logBytes, long end)
      throws IOException {
    long base = Long.parseLong(index.getFileName().toString().substring(0, 20));
    try (DiskFile file = disk.openReadOnly(index)) {
      boolean byOffset = index.toString().endsWith(".index");
      IndexWalk walk = byOffset ? IndexWalk.offsets(file, base) : IndexWalk.times(file, base);
      while (walk.next()) {
        assertThat(walk.offset()).isLessThan(end);
        if (byOffset) {
          assertThat((long) walk.logPosition()).isLessThan(logBytes);
        }
      }
    }
  }

  /** Else the next recovery would end the log there, below what is durable. */
  @Test
  void what_was_cut_does_not_come_back_before_a_segment_that_was_durable_since()
      throws IOException {
    long end = (long) BATCHES * RECORDS_PER_BATCH;
    SimDisk torn = crashed(ONE_SEGMENT, end);
    Path log = FullScan.of(torn, FOLDER).lastBatch().file();
    new Damage(torn).append(log, new byte[33]);
    for (int seed = 0; seed < 8; seed++) {
      SimDisk disk = torn.restart(seed);
      Lab lab = lab(disk, "200");
      assertThat(append(lab.orders())).isEqualTo(end);
      assertThat(lab.orders().segments()).hasSize(2);
      lab.orders().flush();
      try (Lab again = lab(disk.crash(seed), "200")) {
        assertThat(again.orders().view().end()).isEqualTo(end + RECORDS_PER_BATCH);
      }
    }
  }

  /** A disk as a crash leaves it that tore nothing. */
  private static SimDisk crashed(String segmentBytes, long recoveryPoint) throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(DATA);
    try (Lab lab = lab(disk, segmentBytes)) {
      for (int i = 0; i < BATCHES; i++) {
        append(lab.orders());
      }
    }
    new Damage(disk).forgetCleanStop(DATA);
    if (recoveryPoint > 0) {
      new OffsetCheckpoint(disk, DATA, OffsetCheckpoint.Kind.RECOVERY_POINT)
          .write(Map.of(Lab.ORDERS, recoveryPoint));
    }
    return disk.restart(1);
  }

  private static long append(PartitionLog log) throws IOException {
    long offset = log.view().end();
    String[] values = {"a" + offset, "bb" + offset, "ccc" + offset};
    return Lab.append(log, SimClock.START_MS - 1000 + offset, values).baseOffset();
  }

  private static Lab lab(SimDisk disk, String segmentBytes) throws IOException {
    return Lab.open(
        disk, DATA, Map.of("segment.bytes", segmentBytes, "index.interval.bytes", "150"));
  }
}
