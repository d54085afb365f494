package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.log.PartitionLog;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever became of the producer snapshots, a batch that an idempotent producer sends again is
 * answered with its first offset, and its next one is taken.
 */
class ProducerSnapshotDamageTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Produced.Producer PRODUCER = new Produced.Producer(4711, (short) 3);
  private static final String ONE_SEGMENT = "100000";
  private static final String TWO_BATCHES_EACH = "200";

  @ParameterizedTest
  @ValueSource(strings = {ONE_SEGMENT, TWO_BATCHES_EACH})
  void a_sound_one_is_used(String segmentBytes) throws IOException {
    assertThat(resendAndGoOn(written(segmentBytes).restart(1), segmentBytes)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE_SEGMENT, TWO_BATCHES_EACH})
  void missing(String segmentBytes) throws IOException {
    SimDisk disk = written(segmentBytes).restart(1);
    for (Path snapshot : snapshots(disk)) {
      disk.delete(snapshot);
      SimDisk oneLess = disk.restart(2);
      disk = disk.restart(2);
      assertThat(resendAndGoOn(oneLess, segmentBytes)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE_SEGMENT, TWO_BATCHES_EACH})
  void cut_to_any_length(String segmentBytes) throws IOException {
    SimDisk written = written(segmentBytes);
    SimDisk looked = written.restart(1);
    Path newest = newestSnapshot(looked);
    for (long size = 0; size < looked.sizeBytes(newest); size++) {
      SimDisk disk = written.restart(2);
      new Damage(disk).cut(newest, size);
      assertThat(resendAndGoOn(disk, segmentBytes))
          .singleElement()
          .asString()
          .contains(newest.toString());
    }
  }

  /** A power cut may take any of those that were not durable yet, not only the newest. */
  @Test
  void an_older_one_that_a_power_cut_has_torn_is_removed() throws IOException {
    SimDisk disk = written(TWO_BATCHES_EACH).restart(1);
    new Damage(disk).forgetCleanStop(DATA);
    Path oldest = snapshots(disk).get(0);
    assertThat(oldest).isNotEqualTo(newestSnapshot(disk));
    new Damage(disk).cut(oldest, 5);
    assertThat(resendAndGoOn(disk, TWO_BATCHES_EACH))
        .singleElement()
        .asString()
        .contains(oldest.toString(), "removed");
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE_SEGMENT, TWO_BATCHES_EACH})
  void wrong_in_any_byte(String segmentBytes) throws IOException {
    SimDisk written = written(segmentBytes);
    SimDisk looked = written.restart(1);
    Path newest = newestSnapshot(looked);
    for (int at = 0; at < looked.sizeBytes(newest); at++) {
      SimDisk disk = written.restart(2);
      new Damage(disk).invert(newest, at);
      assertThat(resendAndGoOn(disk, segmentBytes))
          .singleElement()
          .asString()
          .contains(newest.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE_SEGMENT, TWO_BATCHES_EACH})
  void not_written_because_the_process_was_killed(String segmentBytes) throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(DATA);
    writeTen(Lab.open(disk, DATA, settings(segmentBytes)).orders());
    assertThat(resendAndGoOn(disk.restart(1), segmentBytes)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {ONE_SEGMENT, TWO_BATCHES_EACH})
  void ahead_of_a_log_that_lost_its_last_batch(String segmentBytes) throws IOException {
    SimDisk disk = written(segmentBytes).restart(1);
    FullScan.Batch last = FullScan.of(disk, FOLDER).lastBatch();
    new Damage(disk).cut(last.file(), last.end() - 1L);
    new Damage(disk).forgetCleanStop(DATA);
    try (Lab lab = Lab.open(disk, DATA, settings(segmentBytes))) {
      Appended again = send(lab.orders(), 8);
      assertThat(again.duplicate()).isFalse();
      assertThat(again.baseOffset()).isEqualTo(8);
      assertThat(send(lab.orders(), 10).baseOffset()).isEqualTo(10);
      assertThat(send(lab.orders(), 8).duplicate()).isTrue();
    }
  }

  /** Sends sequence 8 and 9 again, then 10 and 11; answers what was reported. */
  private static List<String> resendAndGoOn(SimDisk disk, String segmentBytes) throws IOException {
    try (Lab lab = Lab.open(disk, DATA, settings(segmentBytes))) {
      PartitionLog log = lab.orders();
      Appended again = send(log, 8);
      assertThat(again.duplicate()).isTrue();
      assertThat(again.baseOffset()).isEqualTo(8);
      assertThat(again.lastOffset()).isEqualTo(9);
      assertThat(log.view().end()).isEqualTo(10);
      assertThat(send(log, 10).baseOffset()).isEqualTo(10);
      assertThat(FullScan.of(disk, FOLDER).entries()).hasSize(12);
      return List.copyOf(lab.events);
    } finally {
      disk.close();
    }
  }

  /** Sequence numbers 0 to 9, two in a batch, and a clean stop. */
  private static SimDisk written(String segmentBytes) throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, settings(segmentBytes))) {
      writeTen(lab.orders());
    }
    return disk;
  }

  private static void writeTen(PartitionLog log) throws IOException {
    for (int sequence = 0; sequence < 10; sequence += 2) {
      send(log, sequence);
    }
  }

  private static Appended send(PartitionLog log, int sequence) throws IOException {
    return log.append(
        Produced.by(PRODUCER, sequence, SimClock.START_MS, 2), 0, AppendSource.CLIENT);
  }

  private static List<Path> snapshots(SimDisk disk) throws IOException {
    return disk.list(FOLDER).stream()
        .filter(name -> name.endsWith(".snapshot"))
        .map(FOLDER::resolve)
        .toList();
  }

  private static Path newestSnapshot(SimDisk disk) throws IOException {
    List<Path> all = snapshots(disk);
    return all.get(all.size() - 1);
  }

  private static Map<String, String> settings(String segmentBytes) {
    return Map.of("segment.bytes", segmentBytes);
  }
}
