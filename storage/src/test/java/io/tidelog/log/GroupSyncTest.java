package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.store.Lab;
import io.tidelog.store.WatchedDisk;
import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.DiskCall.Kind;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One sync acknowledges all that was appended before it began, and nothing else. */
class GroupSyncTest {
  private static final Path DATA = Path.of("/data");
  private static final Map<String, String> FSYNC =
      Map.of("tidelog.durability", "fsync", "segment.bytes", "100000");

  private final SimDisk sim = new SimDisk(1);
  private final WatchedDisk disk = new WatchedDisk(sim);
  private final List<DiskCall> syncs = new ArrayList<>();
  private Lab lab;

  @BeforeEach
  void open() throws IOException {
    disk.createDirectories(DATA);
    lab = Lab.open(disk, DATA, FSYNC);
    lab.orders();
    countSyncs();
  }

  private void countSyncs() {
    disk.watch(
        (call, bytes) -> {
          if (call.kind() == Kind.SYNC || call.kind() == Kind.SYNC_DIRECTORY) {
            syncs.add(call);
          }
        });
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
    sim.close();
  }

  private PartitionLog log(String topic) throws IOException {
    TopicPartition partition = new TopicPartition(topic, 0);
    return lab.store.find(partition).isPresent()
        ? lab.store.find(partition).get()
        : lab.store.create(partition, Lab.ORDERS_ID, LogSettings.of(FSYNC));
  }

  private static void append(PartitionLog log, int records) throws IOException {
    for (int i = 0; i < records; i++) {
      Lab.append(log, SimClock.START_MS, "value");
    }
  }

  @Test
  void a_hundred_appends_share_one() throws IOException {
    append(lab.orders(), 1);
    lab.scheduler.runDue();
    syncs.clear();
    append(lab.orders(), 100);
    assertThat(syncs).isEmpty();
    assertThat(lab.orders().view().highWatermark()).isEqualTo(1);
    lab.scheduler.runDue();
    assertThat(syncs).extracting(DiskCall::kind).containsExactly(Kind.SYNC);
    assertThat(lab.orders().view().highWatermark()).isEqualTo(101);
    assertThat(lab.orders().recoveryPoint()).isEqualTo(101);
  }

  @Test
  void the_first_one_makes_the_new_files_names_durable_too() throws IOException {
    append(lab.orders(), 1);
    lab.scheduler.runDue();
    assertThat(syncs)
        .contains(new DiskCall(Kind.SYNC_DIRECTORY, lab.orders().directory()))
        .last()
        .extracting(DiskCall::kind)
        .isEqualTo(Kind.SYNC_DIRECTORY);
  }

  @Test
  void what_comes_while_it_runs_waits_for_the_next_one() throws IOException {
    PartitionLog log = lab.orders();
    append(log, 3);
    List<Long> atEachSync = new ArrayList<>();
    disk.watch(
        (call, bytes) -> {
          if (call.kind() == Kind.SYNC && call.path().toString().endsWith(".log")) {
            atEachSync.add(log.view().highWatermark());
            if (atEachSync.size() == 1) {
              append(log, 2);
            }
          }
        });
    lab.scheduler.runDue();
    assertThat(atEachSync).containsExactly(0L, 3L);
    assertThat(log.view().highWatermark()).isEqualTo(5);
  }

  @Test
  void each_log_that_was_written_is_synced_once_and_no_other() throws IOException {
    List<PartitionLog> logs = List.of(log("a"), log("b"), log("c"));
    for (PartitionLog log : logs) {
      append(log, 1);
    }
    lab.scheduler.runDue();
    syncs.clear();
    for (int i = 0; i < 10; i++) {
      append(logs.get(0), 1);
      append(logs.get(2), 1);
    }
    lab.scheduler.runDue();
    assertThat(syncs)
        .extracting(call -> call.path().getParent())
        .containsExactlyInAnyOrder(logs.get(0).directory(), logs.get(2).directory());
    assertThat(logs).extracting(log -> log.view().highWatermark()).containsExactly(11L, 1L, 11L);
  }

  @Test
  void listeners_hear_of_it_when_it_is_done() throws IOException {
    PartitionLog log = lab.orders();
    List<Long> heard = new ArrayList<>();
    log.addListener(moved -> heard.add(moved.view().highWatermark()));
    append(log, 2);
    assertThat(heard).containsExactly(0L, 0L);
    lab.scheduler.runDue();
    assertThat(heard).containsExactly(0L, 0L, 2L);
  }

  @Test
  void a_listener_that_throws_does_not_keep_other_logs_from_being_acknowledged()
      throws IOException {
    LogListener broken =
        moved -> {
          throw new IllegalStateException("broken listener");
        };
    PartitionLog bad = log("bad");
    append(bad, 1);
    append(log("good"), 1);
    bad.addListener(broken);
    assertThatThrownBy(() -> lab.scheduler.runDue()).hasMessage("broken listener");
    assertThat(log("good").view().highWatermark()).isEqualTo(1);
    bad.removeListener(broken);
    append(bad, 1);
    append(log("good"), 1);
    lab.scheduler.runDue();
    assertThat(bad.view().highWatermark()).isEqualTo(2);
    assertThat(log("good").view().highWatermark()).isEqualTo(2);
  }

  @Test
  void a_log_that_is_deleted_meanwhile_is_passed_over() throws IOException {
    append(log("gone"), 1);
    append(log("kept"), 1);
    lab.store.delete(new TopicPartition("gone", 0));
    lab.scheduler.runDue();
    assertThat(log("kept").view().highWatermark()).isEqualTo(1);
    assertThat(lab.events).isEmpty();
  }
}
