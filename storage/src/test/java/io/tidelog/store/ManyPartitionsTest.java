package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.Disk;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.testkit.DiskCall.Kind;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions that are created and deleted together. */
class ManyPartitionsTest {
  private static final Path DATA = Path.of("/data");
  private static final List<TopicPartition> FIFTY =
      IntStream.range(0, 50).mapToObj(index -> new TopicPartition("orders", index)).toList();

  private static final Predicate<String> FOLDER =
      Pattern.compile("orders-[0-9]+").asMatchPredicate();

  @TempDir Path directory;

  @Test
  void all_are_there_on_every_thread_count_and_after_a_restart() throws IOException {
    for (int threads : new int[] {1, 2}) {
      Path data = directory.resolve("threads-" + threads);
      try (LogStore store = open(List.of(data), threads)) {
        store.createAll(wanted(FIFTY));
        assertThat(store.partitions()).hasSize(50);
      }
      try (LogStore store = open(List.of(data), threads)) {
        for (TopicPartition partition : FIFTY) {
          assertThat(store.find(partition).orElseThrow().topicId()).isEqualTo(Lab.ORDERS_ID);
        }
        store.deleteAll(FIFTY);
        assertThat(store.partitions()).isEmpty();
        assertThat(new NioDisk().list(data)).noneMatch(FOLDER);
      }
    }
  }

  @Test
  void they_are_spread_over_the_data_directories() throws IOException {
    List<Path> both = List.of(directory.resolve("a"), directory.resolve("b"));
    try (LogStore store = open(both, 2)) {
      store.create(Lab.ORDERS, Lab.ORDERS_ID, LogSettings.DEFAULTS);
      store.createAll(wanted(FIFTY.subList(1, 4)));
      assertThat(store.partitions())
          .extracting(log -> log.directory().getParent())
          .filteredOn(both.get(0)::equals)
          .hasSize(2);
    }
  }

  @Test
  void a_stop_closes_all_on_every_thread_count_though_one_of_them_fails() throws IOException {
    for (int threads : new int[] {1, 2}) {
      WatchedDisk disk = new WatchedDisk(new NioDisk());
      Path data = directory.resolve("stopped-" + threads);
      LogStore store = open(disk, List.of(data), threads);
      store.createAll(wanted(FIFTY));
      List<PartitionLog> logs = List.copyOf(store.partitions());
      for (PartitionLog log : logs) {
        Lab.append(log, 1000, "a");
      }
      Path bad = data.resolve("orders-7");
      disk.watch(
          (call, bytes) -> {
            if (call.kind() == Kind.SYNC && call.path().startsWith(bad)) {
              throw new IOException("this file cannot be synced");
            }
          });
      assertThatThrownBy(store::close).isInstanceOf(IOException.class);
      assertThat(logs).allMatch(PartitionLog::isClosed);
      assertThat(disk.list(data)).doesNotContain(".kafka_cleanshutdown");
      for (TopicPartition partition : FIFTY) {
        boolean isSaved =
            disk.list(data.resolve(partition.toString())).stream()
                .anyMatch(name -> name.endsWith(".snapshot"));
        assertThat(isSaved || partition.partition() == 7).as("%s", partition).isTrue();
      }
    }
  }

  private static List<NewPartition> wanted(List<TopicPartition> partitions) {
    return partitions.stream()
        .map(partition -> new NewPartition(partition, Lab.ORDERS_ID, LogSettings.DEFAULTS))
        .toList();
  }

  private static LogStore open(List<Path> directories, int threads) throws IOException {
    return open(new NioDisk(), directories, threads);
  }

  private static LogStore open(Disk disk, List<Path> directories, int threads) throws IOException {
    SimClock clock = new SimClock();
    return LogStore.open(
        directories,
        new StoreSettings(partition -> LogSettings.DEFAULTS, 3_000, 300_000, 60_000, threads),
        new Surroundings(
            disk, clock, new SplittableRandom(1), new ManualScheduler(clock), StoreEvents.SILENT));
  }

  @Test
  void a_creation_that_fails_at_any_call_leaves_nothing_and_can_be_repeated() throws IOException {
    List<NewPartition> three = wanted(FIFTY.subList(0, 3));
    SimDisk disk = new SimDisk(3);
    try (Lab lab = Lab.open(disk, DATA, Map.of())) {
      long call = 1;
      while (true) {
        disk.failAtCall(call++);
        try {
          lab.store.createAll(three);
          break;
        } catch (IOException e) {
          assertThat(disk.list(DATA)).as("after call %d", call).noneMatch(FOLDER);
          assertThat(lab.store.partitions()).isEmpty();
        }
      }
      disk.heal();
      assertThat(call).isGreaterThan(24);
      for (NewPartition created : three) {
        PartitionLog log = lab.store.find(created.partition()).orElseThrow();
        assertThat(Lab.append(log, 1, "a").baseOffset()).isZero();
      }
    }
  }

  @Test
  void one_that_is_there_already_keeps_the_others_from_being_created() throws IOException {
    try (Lab lab = Lab.open(new NioDisk(), directory, Map.of())) {
      Lab.append(lab.orders(), 1, "a");
      List<TopicPartition> itLast = List.of(FIFTY.get(2), FIFTY.get(1), Lab.ORDERS);
      assertThatThrownBy(() -> lab.store.createAll(wanted(itLast)))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(lab.disk.list(directory)).filteredOn(FOLDER).containsExactly("orders-0");
      assertThat(lab.orders().view().end()).isEqualTo(1);
    }
  }

  @Test
  void all_of_them_survive_a_power_cut_after_one_sync_of_the_data_directory() throws IOException {
    SimDisk sim = new SimDisk(3);
    WatchedDisk disk = new WatchedDisk(sim);
    AtomicInteger syncs = new AtomicInteger();
    LogStore store = open(disk, List.of(DATA), 1);
    disk.watch(
        (call, bytes) -> {
          if (call.kind() == Kind.SYNC_DIRECTORY && call.path().equals(DATA)) {
            syncs.incrementAndGet();
          }
        });
    store.createAll(wanted(FIFTY));
    assertThat(syncs).hasValue(1);
    try (LogStore again = open(sim.crash(4), List.of(DATA), 1)) {
      assertThat(again.partitions())
          .hasSize(50)
          .allMatch(log -> log.topicId().equals(Lab.ORDERS_ID));
    }
  }

  @Test
  void a_partition_that_is_set_aside_keeps_its_files_and_frees_its_name() throws IOException {
    try (Lab lab = Lab.open(new NioDisk(), directory, Map.of())) {
      PartitionLog old = lab.orders();
      Lab.append(old, 1, "a");
      Path aside = lab.store.setAside(old);
      assertThat(old.isClosed()).isTrue();
      assertThat(aside.getFileName().toString()).startsWith("orders-0.").endsWith("-stray");
      assertThat(lab.disk.list(aside)).contains("00000000000000000000.log");
      assertThat(lab.orders().view().end()).isZero();
      assertThatThrownBy(() -> lab.store.setAside(old))
          .isInstanceOf(IllegalArgumentException.class);
    }
    try (Lab lab = Lab.open(new NioDisk(), directory, Map.of())) {
      assertThat(lab.store.partitions()).hasSize(1);
    }
  }
}
