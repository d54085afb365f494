package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.store.Lab;
import io.tidelog.testkit.DiskCall.Kind;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a failed sync nobody knows what is on disk, even if a later sync succeeds. So the log takes
 * no more, and the stop is not a clean one: the next start reads the log again.
 */
class FailedSyncTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Path MARKER = DATA.resolve(".kafka_cleanshutdown");

  private final SimDisk disk = new SimDisk(1);
  private final Map<String, String> settings = new HashMap<>();

  @BeforeEach
  void makeDirectory() throws IOException {
    disk.createDirectories(DATA);
  }

  private Lab lab() throws IOException {
    return Lab.open(disk, DATA, settings);
  }

  @Test
  void a_flush_that_fails_closes_the_log_for_writing_and_leaves_it_readable() throws IOException {
    Lab lab = lab();
    append(lab.orders(), 2);
    failSyncs();
    assertThatThrownBy(() -> lab.orders().flush()).isInstanceOf(IOException.class);
    isClosedForWriting(lab);
    assertThat(lab.orders().recoveryPoint()).isZero();
    closesUnclean(lab, 2);
  }

  @Test
  void so_does_the_flush_that_a_setting_asks_for_though_the_record_is_there() throws IOException {
    settings.put("flush.messages", "3");
    Lab lab = lab();
    append(lab.orders(), 2);
    failSyncs();
    assertThatThrownBy(() -> append(lab.orders(), 1)).isInstanceOf(IOException.class);
    isClosedForWriting(lab);
    closesUnclean(lab, 3);
  }

  @Test
  void so_does_the_one_after_a_roll() throws IOException {
    settings.put("segment.bytes", "600");
    Lab lab = lab();
    failSyncs();
    append(lab.orders(), 3);
    assertThat(lab.orders().segments()).hasSizeGreaterThan(1);
    lab.scheduler.runDue();
    isClosedForWriting(lab);
    closesUnclean(lab, 3);
  }

  @Test
  void so_does_a_group_sync_and_nothing_more_is_acknowledged() throws IOException {
    settings.put("tidelog.durability", "fsync");
    Lab lab = lab();
    append(lab.orders(), 2);
    lab.scheduler.runDue();
    append(lab.orders(), 2);
    failSyncs();
    lab.scheduler.runDue();
    isClosedForWriting(lab);
    assertThat(lab.orders().view().highWatermark()).isEqualTo(2);
    closesUnclean(lab, 4);
  }

  @Test
  void one_during_the_close_makes_the_stop_unclean() throws IOException {
    Lab lab = lab();
    append(lab.orders(), 2);
    failSyncs();
    closesUnclean(lab, 2);
  }

  @Test
  void other_logs_go_on() throws IOException {
    Lab lab = lab();
    PartitionLog other =
        lab.store.create(
            new io.tidelog.checkpoint.TopicPartition("other", 0),
            Lab.ORDERS_ID,
            LogSettings.DEFAULTS);
    append(lab.orders(), 1);
    failSyncs();
    assertThatThrownBy(() -> lab.orders().flush()).isInstanceOf(IOException.class);
    append(other, 5);
    other.flush();
    assertThat(other.recoveryPoint()).isEqualTo(5);
    closesUnclean(lab, 1);
  }

  /** The fault that a second try would hide: the blocks are never written. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void what_a_failed_sync_lost_is_not_taken_for_durable_later(long seed) throws IOException {
    Lab lab = lab();
    append(lab.orders(), 20);
    failSyncs();
    assertThatThrownBy(() -> lab.orders().flush()).isInstanceOf(IOException.class);
    disk.heal();
    assertThatThrownBy(() -> lab.orders().flush()).isInstanceOf(LogClosedException.class);
    lab.scheduler.advanceMs(120_000);
    SimDisk after = disk.crash(seed);
    try (Lab again = Lab.open(after, DATA, settings)) {
      List<String> left = Lab.values(again.orders());
      for (int i = 0; i < left.size(); i++) {
        assertThat(left.get(i)).isEqualTo(value(i));
      }
    }
  }

  private void failSyncs() {
    disk.failWhen(
        call ->
            call.kind() == Kind.SYNC
                && call.path().startsWith(FOLDER)
                && call.path().toString().endsWith(".log"));
  }

  private void isClosedForWriting(Lab lab) throws IOException {
    PartitionLog log = lab.orders();
    assertThat(log.isClosed()).isTrue();
    assertThat(lab.events).singleElement().asString().startsWith("FAILED orders-0 is closed");
    disk.heal();
    assertThatThrownBy(() -> append(log, 1))
        .isInstanceOf(LogClosedException.class)
        .hasMessageContaining("orders-0 is closed since its disk failed");
  }

  private void closesUnclean(Lab lab, int records) throws IOException {
    assertThatThrownBy(lab::close).isInstanceOf(IOException.class);
    disk.heal();
    disk.close();
    assertThat(disk.exists(MARKER)).isFalse();
    try (Lab again = lab()) {
      assertThat(Lab.values(again.orders())).hasSize(records);
      append(again.orders(), 1);
    }
    assertThat(disk.exists(MARKER)).isTrue();
  }

  private static void append(PartitionLog log, int records) throws IOException {
    for (int i = 0; i < records; i++) {
      Lab.append(log, SimClock.START_MS, value(log.view().end()));
    }
  }

  private static String value(long offset) {
    return "value " + offset + "x".repeat(400);
  }
}
