package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.store.Lab;
import io.tidelog.store.Meanwhile;
import io.tidelog.store.WatchedDisk;
import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever is told that a log begins at an offset finds that so after a crash. */
class StartIsSavedBeforeItIsShownTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final long MUCH = 1 << 30;
  private static final Map<String, String> SETTINGS =
      Map.of(
          "segment.bytes", "300",
          "retention.ms", "-1",
          "file.delete.delay.ms", "0",
          "tidelog.durability", "fsync");

  private final SimDisk disk = new SimDisk(1);
  private final WatchedDisk watched = new WatchedDisk(disk);
  private Lab lab;
  private PartitionLog log;

  private static boolean isSave(DiskCall call) {
    return call.path().toString().endsWith("log-start-offset-checkpoint.tmp");
  }

  @BeforeEach
  void twelveRecordsInSeveralSegments() throws IOException {
    lab = Lab.open(watched, DATA, SETTINGS);
    log = lab.orders();
    fill(log);
  }

  private void fill(PartitionLog target) throws IOException {
    for (int i = 0; i < 12; i++) {
      Lab.append(target, SimClock.START_MS, "value " + i);
    }
    lab.scheduler.runDue();
    assertThat(target.view().highWatermark()).isEqualTo(12);
  }

  private long startAfterCrash(TopicPartition partition) throws IOException {
    try (Lab after = Lab.open(disk.crash(3), DATA, SETTINGS)) {
      return after.store.find(partition).orElseThrow().view().start();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3})
  void a_move_that_could_not_be_saved_is_refused_each_time_and_has_not_happened(long again)
      throws IOException {
    disk.failWhen(StartIsSavedBeforeItIsShownTest::isSave);
    assertThatThrownBy(() -> log.advanceStart(3)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> log.advanceStart(again)).isInstanceOf(IOException.class);
    assertThat(log.view().start()).isZero();
    assertThat(Lab.values(log)).hasSize(12);
    disk.heal();
    log.advanceStart(again);
    assertThat(log.view().start()).isEqualTo(again);
    assertThat(startAfterCrash(Lab.ORDERS)).isEqualTo(again);
  }

  @Test
  void a_second_move_to_the_same_offset_ends_after_the_save_of_the_first() throws Exception {
    Meanwhile second = new Meanwhile();
    boolean[] answered = new boolean[1];
    atFirstSave(
        () -> {
          second.start(
              () -> {
                log.advanceStart(3);
                answered[0] = true;
              });
          assertThat(answered[0]).isFalse();
          assertThat(log.view().start()).isZero();
          throw new IOException("the first save fails");
        });
    assertThatThrownBy(() -> log.advanceStart(3)).hasMessage("the first save fails");
    second.join();
    assertThat(answered[0]).isTrue();
    assertThat(startAfterCrash(Lab.ORDERS)).isEqualTo(3);
  }

  @Test
  void a_save_for_another_log_does_not_take_it_back() throws Exception {
    TopicPartition bills = new TopicPartition("bills", 0);
    PartitionLog other = lab.store.create(bills, Lab.ORDERS_ID, LogSettings.of(SETTINGS));
    fill(other);
    Meanwhile meanwhile = new Meanwhile();
    watched.watch(
        (call, bytes) -> {
          if (call.kind() == DiskCall.Kind.RENAME && !meanwhile.isStarted()) {
            meanwhile.start(() -> other.advanceStart(5));
          }
        });
    log.advanceStart(3);
    meanwhile.join();
    assertThat(startAfterCrash(Lab.ORDERS)).isEqualTo(3);
    assertThat(startAfterCrash(bills)).isEqualTo(5);
  }

  @Test
  void segments_that_could_not_be_dropped_are_still_there_to_be_dropped_later() throws IOException {
    int segments = log.segments().size();
    assertThat(segments).isGreaterThan(2);
    disk.failWhen(StartIsSavedBeforeItIsShownTest::isSave);
    assertThatThrownBy(() -> log.dropSegmentsBelow(12)).isInstanceOf(IOException.class);
    assertThat(log.view().start()).isZero();
    assertThat(Lab.values(log)).hasSize(12);
    disk.heal();
    assertThat(log.dropSegmentsBelow(12)).isGreaterThanOrEqualTo(segments);
    lab.scheduler.runDue();
    assertThat(disk.list(FOLDER).stream().filter(name -> name.endsWith(".log"))).hasSize(1);
    assertThat(startAfterCrash(Lab.ORDERS)).isEqualTo(12);
  }

  @Test
  void a_full_disk_gets_room_by_dropping_segments() throws IOException {
    disk.limitSpace(0);
    int segments = log.segments().size();
    assertThat(log.dropSegmentsBelow(11)).isEqualTo(segments - 1);
    long start = log.view().start();
    assertThat(start).isPositive();
    lab.scheduler.runDue();
    assertThat(disk.list(FOLDER).stream().filter(name -> name.endsWith(".log"))).hasSize(1);
    disk.limitSpace(MUCH);
    assertThat(startAfterCrash(Lab.ORDERS)).isEqualTo(start);
  }

  private void atFirstSave(Meanwhile.Work work) {
    boolean[] begun = new boolean[1];
    watched.watch(
        (call, bytes) -> {
          if (isSave(call) && !begun[0]) {
            begun[0] = true;
            try {
              work.run();
            } catch (IOException | RuntimeException e) {
              throw e;
            } catch (Exception e) {
              throw new IOException(e);
            }
          }
        });
  }
}
