package io.tidelog.producer;

import static io.tidelog.producer.Batches.ours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.DiskFile;
import io.tidelog.disk.DiskFullException;
import io.tidelog.producer.Batches.Sent;
import io.tidelog.record.Origin;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProducerSnapshotsTest {
  private static final Path FOLDER = Path.of("/orders-3");
  private static final Path NEWEST = FOLDER.resolve("00000000000000000010.snapshot");

  /** The states and snapshots of one log. */
  private static final class Log {
    private final ProducerStates states = new ProducerStates(new TopicPartition("orders", 3));
    private final ProducerSnapshots snapshots;

    Log(SimDisk disk) throws IOException {
      snapshots = ProducerSnapshots.open(disk, FOLDER);
    }

    Restored restore(long start, long end) throws IOException {
      return snapshots.restore(states, new OffsetRange(start, end), Long.MIN_VALUE);
    }

    /** Batches with one record each; which producers wrote them depends on the history. */
    Log append(long from, long to, int history) {
      for (long offset = from; offset < to; offset++) {
        states.apply(ours(batch(offset, history).at(offset)));
      }
      return this;
    }

    Log snapshot(long offset) throws IOException {
      snapshots.write(offset, states);
      return this;
    }

    ByteBuffer bytes() {
      return ProducerSnapshot.encode(states.all());
    }
  }

  private static Sent batch(long offset, int history) {
    return Sent.of(history * 100L + offset % 3, 0, (int) offset / 3, 1);
  }

  private static SimDisk withSnapshotsAt5And10() throws IOException {
    SimDisk disk = emptyFolder();
    new Log(disk)
        .snapshot(0)
        .append(0, 5, 1)
        .snapshot(5)
        .append(5, 10, 1)
        .snapshot(10)
        .snapshot(10);
    return disk;
  }

  private static SimDisk emptyFolder() throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(FOLDER);
    return disk;
  }

  private static ByteBuffer bytesAfter(long end, int history) throws IOException {
    return new Log(emptyFolder()).append(0, end, history).bytes();
  }

  @Test
  void the_newest_within_the_log_is_loaded_and_those_outside_go() throws IOException {
    SimDisk disk = withSnapshotsAt5And10();
    assertThat(disk.list(FOLDER))
        .containsExactly("00000000000000000005.snapshot", "00000000000000000010.snapshot");
    Log log = new Log(disk);
    assertThat(log.restore(0, 10).replayFrom()).isEqualTo(10);
    assertThat(log.bytes()).isEqualTo(bytesAfter(10, 1));
    assertThat(log.restore(0, 9).replayFrom()).isEqualTo(5);
    assertThat(log.bytes()).isEqualTo(bytesAfter(5, 1));
    assertThat(disk.list(FOLDER)).containsExactly("00000000000000000005.snapshot");
    log.snapshots.deleteBelow(5);
    assertThat(log.restore(5, 9).replayFrom()).isEqualTo(5);
    assertThat(log.restore(6, 9).replayFrom()).isEqualTo(6);
    assertThat(log.states.all()).isEmpty();
    assertThat(disk.list(FOLDER)).isEmpty();
    disk.close();
  }

  @Test
  void a_producer_that_comes_from_a_snapshot_is_known_by_its_last_batch() throws IOException {
    Log log = new Log(withSnapshotsAt5And10());
    log.restore(0, 10);
    assertThat(log.states.check(ours(batch(9, 1).at(0)), Origin.CLIENT, TransactionGuard.NONE))
        .contains(new WrittenBatch(9, 9, 1000));
    assertThat(log.states.check(ours(batch(12, 1).at(0)), Origin.CLIENT, TransactionGuard.NONE))
        .isEmpty();
    assertThatExceptionOfType(ProducerStateException.class)
        .isThrownBy(
            () -> log.states.check(ours(batch(6, 1).at(0)), Origin.CLIENT, TransactionGuard.NONE));
  }

  @Test
  void producers_that_have_expired_are_not_loaded() throws IOException {
    Log log = new Log(withSnapshotsAt5And10());
    log.snapshots.restore(log.states, new OffsetRange(0, 10), 999);
    assertThat(log.states.all()).hasSize(3);
    log.snapshots.restore(log.states, new OffsetRange(0, 10), 1000);
    assertThat(log.states.all()).isEmpty();
  }

  @Test
  void every_flipped_bit_and_every_cut_is_noticed_and_the_one_before_is_used() throws IOException {
    SimDisk disk = withSnapshotsAt5And10();
    byte[] sound = contents(disk);
    for (int bit = 0; bit < sound.length * 8; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertFallsBack(disk, damaged, " at byte ");
    }
    for (int length = 0; length < sound.length; length++) {
      assertFallsBack(disk, java.util.Arrays.copyOf(sound, length), " at byte ");
    }
    assertFallsBack(disk, java.util.Arrays.copyOf(sound, sound.length + 1), " at byte ");
    disk.close();
  }

  private static void assertFallsBack(SimDisk disk, byte[] damaged, String message)
      throws IOException {
    if (disk.exists(NEWEST)) {
      disk.delete(NEWEST);
    }
    try (DiskFile file = disk.create(NEWEST)) {
      file.write(ByteBuffer.wrap(damaged), 0);
    }
    Log log = new Log(disk);
    Restored restored = log.restore(0, 10);
    assertThat(restored.replayFrom()).isEqualTo(5);
    assertThat(log.bytes()).isEqualTo(bytesAfter(5, 1));
    assertThat(restored.dropped())
        .singleElement()
        .satisfies(e -> assertThat(e).hasMessageStartingWith(NEWEST + message));
    assertThat(disk.exists(NEWEST)).isFalse();
  }

  private static byte[] contents(SimDisk disk) throws IOException {
    try (DiskFile file = disk.openReadOnly(NEWEST)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(bytes, 0);
      return bytes.array();
    }
  }

  @Test
  void without_any_snapshot_the_replay_begins_at_the_start() throws IOException {
    SimDisk disk = emptyFolder();
    disk.create(FOLDER.resolve("99999999999999999999.snapshot")).close();
    disk.create(FOLDER.resolve("5.snapshot")).close();
    Log log = new Log(disk);
    assertThat(log.restore(3, 100).replayFrom()).isEqualTo(3);
    assertThat(log.states.all()).isEmpty();
    assertThat(disk.list(FOLDER)).hasSize(2);
  }

  @Test
  void what_a_failed_attempt_left_is_written_over() throws IOException {
    SimDisk disk = emptyFolder();
    Log log = new Log(disk).append(0, 5, 1);
    disk.limitSpace(20);
    assertThatExceptionOfType(DiskFullException.class).isThrownBy(() -> log.snapshot(5));
    disk.limitSpace(2000);
    log.snapshot(5);
    assertThat(new Log(disk).restore(0, 5).replayFrom()).isEqualTo(5);
    disk.close();
  }

  @Test
  void a_synced_snapshot_survives_a_power_cut() throws IOException {
    SimDisk disk = emptyFolder();
    disk.syncDirectory(Path.of("/"));
    Log log = new Log(disk).append(0, 5, 1).snapshot(5);
    log.snapshots.sync(5);
    log.snapshots.sync(7);
    for (int seed = 0; seed < 50; seed++) {
      assertThat(new Log(disk.crash(seed)).restore(0, 5).replayFrom()).isEqualTo(5);
    }
  }

  @Test
  void no_power_cut_brings_back_what_was_taken_back() throws Exception {
    CrashSweep.<String>of(
            (disk, acknowledge) -> {
              Log log = new Log(disk).append(0, 4, 1).snapshot(4).append(4, 8, 1).snapshot(8);
              log.restore(0, 0);
              acknowledge.accept("taken back");
              log.append(0, 6, 2).snapshot(6).append(6, 9, 2).snapshot(9);
            })
        .startingWith(disk -> disk.createDirectories(FOLDER))
        .seeds(30)
        .afterEachCut(
            (disk, acknowledged) -> {
              Log log = new Log(disk);
              long end = log.restore(0, 9).replayFrom();
              List<ByteBuffer> right =
                  acknowledged.isEmpty()
                      ? List.of(bytesAfter(end, 1), bytesAfter(end, 2))
                      : List.of(bytesAfter(end, 2));
              assertThat(right).contains(log.bytes());
            });
  }
}
