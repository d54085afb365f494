package io.tidelog.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.disk.DiskFile;
import io.tidelog.disk.DiskFullException;
import io.tidelog.disk.DiskLock;
import io.tidelog.disk.DiskLockedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SimDiskFaultsTest {
  private static final Path FILE = Path.of("/a");

  private final SimClock clock = new SimClock();
  private final SimDisk disk = new SimDisk(7, clock);

  @Test
  void the_nth_call_fails_once() throws IOException {
    try (DiskFile file = disk.create(FILE)) {
      disk.failAtCall(2);
      file.sizeBytes();
      assertThatThrownBy(file::sizeBytes)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("/a");
      file.sizeBytes();
    }
  }

  @Test
  void the_power_goes_at_the_nth_change_and_stays_off() throws IOException {
    DiskFile file = disk.create(FILE);
    disk.cutPowerAtChange(2);
    file.write(ByteBuffer.allocate(1), 0);
    file.sizeBytes();
    assertThatThrownBy(file::sync).isInstanceOf(PowerCut.class).hasMessageContaining("SYNC /a");
    assertThatThrownBy(file::sizeBytes).isInstanceOf(PowerCut.class);
    assertThatThrownBy(() -> disk.exists(FILE)).isInstanceOf(PowerCut.class);
    file.close();
    disk.close();
    assertThat(disk.isPowerCut()).isTrue();
    assertThat(disk.crash(1).isPowerCut()).isFalse();
  }

  @Test
  void a_full_disk_takes_what_fits_and_frees_what_is_deleted_and_closed() throws IOException {
    disk.limitSpace(100);
    DiskFile file = disk.create(FILE);
    ByteBuffer source = ByteBuffer.allocate(150);
    assertThatThrownBy(() -> file.write(source, 0)).isInstanceOf(DiskFullException.class);
    assertThat(file.sizeBytes()).isEqualTo(100);
    assertThat(disk.usableBytes(FILE)).isZero();
    file.write(ByteBuffer.allocate(100), 0);
    file.truncate(40);
    assertThat(disk.usableBytes(FILE)).isEqualTo(60);
    disk.delete(FILE);
    assertThat(disk.usableBytes(FILE)).isEqualTo(60);
    file.close();
    assertThat(disk.usableBytes(FILE)).isEqualTo(100);
  }

  @Test
  void a_write_past_a_gap_that_does_not_fit_takes_nothing() throws IOException {
    disk.limitSpace(100);
    try (DiskFile file = disk.create(FILE)) {
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(10), 200))
          .isInstanceOf(DiskFullException.class);
      assertThat(file.sizeBytes()).isZero();
      assertThat(disk.usableBytes(FILE)).isEqualTo(100);
    }
  }

  @Test
  void closing_names_who_left_a_file_open() throws IOException {
    DiskFile file = disk.create(FILE);
    DiskLock lock = disk.lock(Path.of("/.lock"));
    assertThatThrownBy(disk::close)
        .isInstanceOf(IllegalStateException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .hasSize(2)
                    .anySatisfy(opened -> assertThat(opened).hasMessageContaining("file /a"))
                    .anySatisfy(opened -> assertThat(opened).hasMessageContaining("lock on /.lock"))
                    .allSatisfy(
                        opened ->
                            assertThat(opened.getStackTrace())
                                .anyMatch(
                                    frame ->
                                        frame
                                            .getMethodName()
                                            .equals("closing_names_who_left_a_file_open"))));
    file.close();
    lock.close();
    disk.close();
  }

  @Test
  void a_lock_excludes_a_second_holder_until_closed_or_cut() throws IOException {
    DiskLock lock = disk.lock(FILE);
    assertThatThrownBy(() -> disk.lock(FILE)).isInstanceOf(DiskLockedException.class);
    lock.close();
    disk.lock(FILE).close();
    disk.syncDirectory(Path.of("/"));
    disk.lock(FILE);
    disk.crash(3).lock(FILE).close();
  }

  @Test
  void a_map_shows_later_writes() throws IOException {
    try (DiskFile file = disk.create(FILE)) {
      file.write(ByteBuffer.allocate(10_000), 0);
      ByteBuffer map = file.map(100, 200);
      file.write(ByteBuffer.allocate(50_000).put(150, (byte) 1).put(99, (byte) 2), 0);
      assertThat(map.get(50)).isEqualTo((byte) 1);
      assertThat(map.get(0)).isZero();
      assertThat(map.isReadOnly()).isTrue();
    }
  }

  @Test
  void the_clock_dates_a_file_by_its_last_write() throws IOException {
    try (DiskFile file = disk.create(FILE)) {
      clock.advanceMs(5);
      assertThat(disk.modifiedMs(FILE)).isEqualTo(SimClock.START_MS);
      file.write(ByteBuffer.allocate(1), 0);
      assertThat(disk.modifiedMs(FILE)).isEqualTo(SimClock.START_MS + 5);
      disk.setModifiedMs(FILE, 7);
      assertThat(disk.modifiedMs(FILE)).isEqualTo(7);
    }
  }
}
