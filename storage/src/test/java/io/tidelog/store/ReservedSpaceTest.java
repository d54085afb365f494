package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.AppendSource;
import io.tidelog.log.NoRoomException;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.Compression;
import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Below the reserve clients append nothing; all else goes on, and so do they when there is room.
 */
class ReservedSpaceTest {
  private static final Path DATA = Path.of("/data");
  private static final long RESERVED = 64L << 20;
  private static final long SPARE = RESERVED / 4;

  /** So often at least the file system is asked. */
  private static final long LOOKS_MS = 30_000;

  private final SimDisk disk = new SimDisk(1);
  private Lab lab;

  @BeforeEach
  void open() throws IOException {
    disk.createDirectories(DATA);
    lab = Lab.open(disk, DATA, Map.of("segment.bytes", "1000", "retention.ms", "1000"));
    append("before");
  }

  @AfterEach
  void close() throws IOException {
    disk.limitSpace(1L << 40);
    lab.close();
    disk.close();
  }

  private void append(String value) throws IOException {
    Lab.append(lab.orders(), lab.clock.millis(), value);
  }

  private void free(long bytes) {
    disk.limitSpace(bytes);
    lab.scheduler.advanceMs(LOOKS_MS);
  }

  private void assertRefused() {
    assertThatThrownBy(() -> append("refused"))
        .isInstanceOf(NoRoomException.class)
        .hasMessageContaining("/data")
        .hasMessageContaining("tidelog.reserved.disk.bytes");
  }

  @Test
  void a_small_disk_keeps_a_hundredth() throws IOException {
    free(RESERVED - 1);
    append("a hundredth of a disk of 64 MiB");
    free(0);
    assertRefused();
    disk.limitSpace(1L << 40);
    lab.scheduler.advanceMs(LOOKS_MS);
    append("after");
    assertThat(Lab.values(lab.orders()))
        .containsExactly("before", "a hundredth of a disk of 64 MiB", "after");
  }

  @Test
  void it_is_told_once_when_it_begins_and_once_when_it_ends() throws IOException {
    try (Small small = new Small()) {
      small.free(RESERVED - 1);
      for (int i = 0; i < 5; i++) {
        small.assertRefused();
        small.lab.scheduler.advanceMs(LOOKS_MS);
      }
      small.free(RESERVED + SPARE - 1);
      small.assertRefused();
      assertThat(small.lab.events)
          .singleElement()
          .asString()
          .startsWith("FULL /data: clients may not append");
      small.free(RESERVED + SPARE);
      Lab.append(small.lab.orders(), SimClock.START_MS, "after");
      assertThat(small.lab.events).hasSize(2);
      assertThat(small.lab.events.get(1)).startsWith("FULL /data: clients may append again");
    }
  }

  @Test
  void a_batch_that_does_not_fit_above_the_reserve_is_refused_until_it_would() throws IOException {
    try (Small small = new Small()) {
      String large = "x".repeat(100_000);
      small.free(RESERVED + 50_000);
      assertThatThrownBy(() -> Lab.append(small.lab.orders(), SimClock.START_MS, large))
          .isInstanceOf(NoRoomException.class);
      for (int i = 0; i < 5; i++) {
        small.free(RESERVED + SPARE + 50_000);
        small.assertRefused();
      }
      assertThat(small.lab.events).hasSize(1);
      small.free(RESERVED + SPARE + 101_000);
      Lab.append(small.lab.orders(), SimClock.START_MS, large);
    }
  }

  /** A store that is told how much to keep. */
  private static final class Small implements AutoCloseable {
    private final SimDisk disk = new SimDisk(2);
    private final Lab lab;

    Small() throws IOException {
      disk.createDirectories(DATA);
      lab = Lab.open(disk, DATA, Map.of(), RESERVED);
      lab.orders();
    }

    void free(long bytes) {
      disk.limitSpace(bytes);
      lab.scheduler.advanceMs(LOOKS_MS);
    }

    void assertRefused() throws IOException {
      assertThatThrownBy(() -> Lab.append(lab.orders(), SimClock.START_MS, "refused"))
          .isInstanceOf(NoRoomException.class);
      assertThat(Lab.values(lab.orders())).doesNotContain("refused");
    }

    @Override
    public void close() throws IOException {
      disk.limitSpace(1L << 40);
      lab.close();
      disk.close();
    }
  }

  @Test
  void the_file_system_is_not_asked_for_each_append() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    disk.failWhen(
        call -> {
          asked.addAndGet(call.kind() == DiskCall.Kind.USABLE ? 1 : 0);
          return false;
        });
    for (int i = 0; i < 2_000; i++) {
      append("value " + i);
    }
    assertThat(asked).hasValue(0);
    lab.scheduler.advanceMs(10 * LOOKS_MS);
    assertThat(asked.get()).isBetween(9, 11);
  }

  @Test
  void what_is_appended_between_two_looks_does_not_eat_the_reserve() throws IOException {
    try (Small small = new Small()) {
      small.free(RESERVED + 100_000);
      assertThatThrownBy(
              () -> {
                while (true) {
                  Lab.append(small.lab.orders(), SimClock.START_MS, "x".repeat(1_000));
                }
              })
          .isInstanceOf(NoRoomException.class);
      assertThat(small.disk.usableBytes(DATA)).isBetween(RESERVED, RESERVED + 2_000);
    }
  }

  @Test
  void what_frees_space_or_is_the_brokers_own_goes_on() throws IOException {
    for (int i = 0; i < 50; i++) {
      append("value " + i);
    }
    PartitionLog log = lab.orders();
    int segments = log.segments().size();
    free(500_000);
    disk.limitSpace(4_000);
    lab.scheduler.advanceMs(LOOKS_MS);
    log.append(
        Lab.batch(Compression.NONE, lab.clock.millis(), "of a coordinator"),
        0,
        AppendSource.COORDINATOR);
    assertThat(Lab.values(log)).hasSize(52).endsWith("of a coordinator");
    log.advanceStart(3);
    assertThat(log.view().start()).isEqualTo(3);
    lab.clock.advanceMs(10_000);
    lab.store.enforceRetention();
    assertThat(log.segments().size()).isLessThan(segments);
    lab.store.delete(Lab.ORDERS);
    assertThat(lab.store.find(Lab.ORDERS)).isEmpty();
  }
}
