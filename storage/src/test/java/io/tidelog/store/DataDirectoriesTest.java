package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.DiskLockedException;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several data directories, names and threads, on a real disk. */
class DataDirectoriesTest {
  private static final LogSettings SETTINGS = LogSettings.DEFAULTS;

  @TempDir Path root;

  private LogStore open(String... names) throws IOException {
    SimClock clock = new SimClock();
    return LogStore.open(
        List.of(names).stream().map(root::resolve).toList(),
        StoreSettings.DEFAULTS,
        new Surroundings(
            new NioDisk(),
            clock,
            new SplittableRandom(1),
            new ManualScheduler(clock),
            StoreEvents.SILENT));
  }

  @Test
  void each_directory_keeps_its_partitions_and_checkpoints() throws IOException {
    try (LogStore store = open("a", "b")) {
      for (int i = 0; i < 20; i++) {
        PartitionLog log = store.create(new TopicPartition("orders", i), Lab.ORDERS_ID, SETTINGS);
        for (int j = 0; j <= i; j++) {
          Lab.append(log, SimClock.START_MS, "value " + j);
        }
        log.advanceStart(i / 2);
      }
    }
    try (LogStore store = open("a")) {
      assertThat(store.partitions()).hasSize(10);
    }
    try (LogStore store = open("b", "a")) {
      assertThat(store.directories()).containsExactly(root.resolve("b"), root.resolve("a"));
      for (int i = 0; i < 20; i++) {
        PartitionLog log = store.find(new TopicPartition("orders", i)).orElseThrow();
        assertThat(log.view().start()).isEqualTo(i / 2);
        assertThat(log.view().end()).isEqualTo(i + 1);
      }
    }
  }

  @Test
  void if_one_is_locked_none_is_taken() throws IOException {
    try (LogStore other = open("b")) {
      assertThatThrownBy(() -> open("a", "b"))
          .isInstanceOf(DiskLockedException.class)
          .hasMessageContaining(root.resolve("b").toString());
      assertThatThrownBy(() -> open("c", "c")).isInstanceOf(DiskLockedException.class);
      open("a").close();
      assertThat(other.partitions()).isEmpty();
    }
  }

  @Test
  void a_partition_that_two_directories_hold_is_refused_by_name() throws IOException {
    for (String directory : List.of("a", "b")) {
      try (LogStore store = open(directory)) {
        store.create(Lab.ORDERS, Lab.ORDERS_ID, SETTINGS);
      }
    }
    assertThatThrownBy(() -> open("a", "b"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(root.resolve("a/orders-0").toString())
        .hasMessageContaining(root.resolve("b/orders-0").toString());
    open("a").close();
    open("b").close();
  }

  @Test
  void the_longest_name_with_a_large_number_can_be_used_and_deleted_and_used_again()
      throws IOException {
    TopicPartition longest = new TopicPartition("t".repeat(249), 1000);
    for (long round = 1; round <= 2; round++) {
      try (LogStore store = open("a")) {
        PartitionLog log = store.create(longest, new TopicId(round, round), SETTINGS);
        Lab.append(log, SimClock.START_MS, "value");
        store.delete(longest);
        assertThat(store.find(longest)).isEmpty();
        assertThat(Files.exists(root.resolve("a").resolve(longest.folderName()))).isFalse();
        PartitionLog again = store.create(longest, new TopicId(round, 7), SETTINGS);
        assertThat(again.view().end()).isZero();
        Lab.append(again, SimClock.START_MS, "value");
      }
      try (LogStore store = open("a")) {
        assertThat(store.find(longest).orElseThrow().topicId()).isEqualTo(new TopicId(round, 7));
        assertThat(new NioDisk().list(root.resolve("a"))).noneMatch(n -> n.endsWith("-delete"));
        store.delete(longest);
      }
    }
  }

  @Test
  void after_a_deletion_the_old_log_takes_and_gives_nothing() throws IOException {
    try (LogStore store = open("a")) {
      PartitionLog old = store.create(Lab.ORDERS, Lab.ORDERS_ID, SETTINGS);
      Lab.append(old, SimClock.START_MS, "value");
      store.delete(Lab.ORDERS);
      store.delete(Lab.ORDERS);
      store.create(Lab.ORDERS, new TopicId(1, 1), SETTINGS);
      assertThatThrownBy(() -> Lab.append(old, SimClock.START_MS, "value"))
          .isInstanceOf(LogClosedException.class);
      assertThatThrownBy(() -> Lab.values(old)).isInstanceOf(LogClosedException.class);
      assertThatThrownBy(old::flush).isInstanceOf(LogClosedException.class);
      assertThatThrownBy(() -> old.truncateTo(0)).isInstanceOf(LogClosedException.class);
      assertThatThrownBy(() -> old.advanceStart(1)).isInstanceOf(LogClosedException.class);
      old.close();
    }
  }

  @Test
  void a_store_that_was_closed_leaves_no_thread_and_can_be_opened_again_and_again()
      throws IOException {
    Set<Thread> before = tidelogThreads();
    for (int i = 0; i < 5; i++) {
      try (LogStore store = LogStore.open(root.resolve("a"), StoreSettings.DEFAULTS)) {
        TopicPartition partition = new TopicPartition("orders", i);
        PartitionLog log =
            store.create(
                partition,
                Lab.ORDERS_ID,
                LogSettings.of(java.util.Map.of("tidelog.durability", "fsync")));
        Lab.append(log, SimClock.START_MS, "value");
        assertThat(store.partitions()).hasSize(i + 1);
      }
      assertThat(tidelogThreads()).isEqualTo(before);
    }
    try (LogStore first = open("b")) {
      assertThat(first.partitions()).isEmpty();
      assertThatThrownBy(() -> LogStore.open(root.resolve("b"), StoreSettings.DEFAULTS))
          .isInstanceOf(DiskLockedException.class);
    }
    assertThat(tidelogThreads()).isEqualTo(before);
  }

  private static Set<Thread> tidelogThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getName().startsWith("tidelog"))
        .collect(Collectors.toSet());
  }
}
