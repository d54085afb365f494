package io.tidelog.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.LostOffsets;
import io.tidelog.checkpoint.LostRange;
import io.tidelog.disk.DiskFile;
import io.tidelog.disk.DiskLock;
import io.tidelog.disk.DiskLockedException;
import io.tidelog.producer.OffsetRange;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.store.Lab;
import io.tidelog.store.WatchedDisk;
import io.tidelog.testkit.DiskCall;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import io.tidelog.verify.Finding;
import io.tidelog.verify.FindingKind;
import io.tidelog.verify.VerifyOptions;
import io.tidelog.verify.VerifyReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a repair does about harm that is no single wrong byte, and what it must leave alone. */
class RepairOfHarmTest {
  private static final Path FOLDER = SmallDirectory.DATA.resolve("orders-0");
  private static final VerifyOptions OPTIONS = VerifyOptions.batches().withThreads(1);

  private static SmallDirectory directory;

  @BeforeAll
  static void make() throws IOException {
    directory = SmallDirectory.make();
  }

  private static List<Path> logs() {
    return directory.files().keySet().stream()
        .filter(file -> file.getParent().equals(FOLDER))
        .filter(file -> file.toString().endsWith(SegmentFiles.LOG))
        .toList();
  }

  private static long baseOf(Path log) {
    return SegmentFiles.baseOffset(log.getFileName().toString(), SegmentFiles.LOG).orElseThrow();
  }

  private static Repair.Plan apply(SimDisk disk) throws IOException {
    return SmallDirectory.repair(disk).apply(SmallDirectory.QUARANTINE, step -> {});
  }

  private static Map<Path, byte[]> contents(SimDisk disk, Path folder) throws IOException {
    Map<Path, byte[]> contents = new TreeMap<>();
    for (String name : disk.list(folder)) {
      Path file = folder.resolve(name);
      if (!disk.isDirectory(file)) {
        contents.put(file, SmallDirectory.bytes(disk, file));
      }
    }
    return contents;
  }

  private static void write(SimDisk disk, Path file, byte[] bytes) throws IOException {
    try (DiskFile created = disk.create(file)) {
      created.write(ByteBuffer.wrap(bytes), 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SegmentFiles.OFFSET_INDEX, SegmentFiles.TIME_INDEX})
  void a_plan_leaves_an_index_of_zeros_as_it_lies(String suffix) throws IOException {
    Path index = SegmentFiles.path(FOLDER, baseOf(logs().get(0)), suffix);
    byte[] zeros = new byte[directory.files().get(index).length];
    assertThat(zeros).isNotEmpty();
    try (SimDisk disk = directory.diskWith(index, zeros)) {
      Map<Path, byte[]> before = contents(disk, FOLDER);
      SmallDirectory.repair(disk).plan();
      assertThat(contents(disk, FOLDER)).containsExactlyEntriesOf(before);
    }
  }

  @Test
  void what_is_appended_before_the_lock_is_taken_is_not_cut() throws IOException {
    byte[] log = directory.files().get(directory.lastLog());
    byte[] torn = Arrays.copyOf(log, log.length + 5);
    try (SimDisk disk = directory.diskWith(directory.lastLog(), torn)) {
      disk.delete(SmallDirectory.DATA.resolve(".lock")); // so that a check has no lock to try
      WatchedDisk watched = new WatchedDisk(disk);
      boolean[] wasThere = new boolean[1];
      watched.watch(
          (call, bytes) -> {
            if (call.kind() == DiskCall.Kind.LOCK && !wasThere[0]) {
              wasThere[0] = true;
              appendAtWork(disk);
            }
          });
      Repair.Plan left =
          new Repair(watched, SmallDirectory.DATA, OPTIONS)
              .apply(SmallDirectory.QUARANTINE, step -> {});

      assertThat(left.isSound()).as("%s", left).isTrue();
      assertThat(wasThere[0]).isTrue();
      try (Lab lab = Lab.open(disk, SmallDirectory.DATA, new SimClock(), SmallDirectory.SETTINGS)) {
        assertThat(Lab.values(lab.orders())).endsWith("acknowledged");
      }
    }
  }

  private static void appendAtWork(SimDisk disk) throws IOException {
    try (Lab lab = Lab.open(disk, SmallDirectory.DATA, new SimClock(), SmallDirectory.SETTINGS)) {
      Lab.append(lab.orders(), SimClock.START_MS, "acknowledged");
    }
  }

  @Test
  void nobody_can_begin_to_use_the_directory_between_two_steps() throws IOException {
    try (SimDisk disk = directory.diskWith(logs().get(0), new byte[0])) {
      List<RepairStep> told = new ArrayList<>();
      SmallDirectory.repair(disk)
          .apply(
              SmallDirectory.QUARANTINE,
              step -> {
                told.add(step);
                assertThatThrownBy(() -> disk.lock(SmallDirectory.DATA.resolve(".lock")))
                    .isInstanceOf(DiskLockedException.class);
              });
      assertThat(told).hasSizeGreaterThan(1);
    }
  }

  @Test
  void a_plan_for_a_directory_in_use_is_refused() throws IOException {
    try (SimDisk disk = directory.diskWith(logs().get(0), new byte[0])) {
      DiskLock broker = disk.lock(SmallDirectory.DATA.resolve(".lock"));
      try (broker) {
        assertThatThrownBy(() -> SmallDirectory.repair(disk).plan())
            .isInstanceOf(DiskLockedException.class);
      }
    }
  }

  @Test
  void the_folder_of_one_partition_is_refused() throws IOException {
    try (SimDisk disk = directory.diskWith(logs().get(0), new byte[0])) {
      Repair repair = new Repair(disk, FOLDER, OPTIONS);
      assertThatThrownBy(repair::plan)
          .isInstanceOf(PartitionFolderException.class)
          .hasMessageStartingWith(FOLDER + " is the folder of one partition; name the data");
      assertThatThrownBy(() -> repair.apply(SmallDirectory.QUARANTINE, step -> {}))
          .isInstanceOf(PartitionFolderException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_closed_log_that_lacks_its_end_is_told_and_noted_with_all_offsets(int batches)
      throws IOException {
    Path log = logs().get(0);
    int bytes = batches == 0 ? 0 : directory.batchesOf(log).get(batches - 1).to();
    long first = batches == 0 ? 0 : directory.batchesOf(log).get(batches - 1).nextOffset();
    long next = baseOf(logs().get(1));
    Map<Path, byte[]> before = directory.files();
    try (SimDisk disk = directory.diskWith(log, Arrays.copyOf(directory.files().get(log), bytes))) {
      assertThat(SmallDirectory.repair(disk).plan().steps())
          .filteredOn(step -> step.kind() == RepairStep.Kind.NOTE_LOSS)
          .singleElement()
          .satisfies(step -> assertThat(step.lost()).containsExactly(new OffsetRange(first, next)));

      assertThat(apply(disk).isSound()).isTrue();

      assertThat(new LostOffsets(disk, FOLDER).read()).containsExactly(new LostRange(first, next));
      VerifyReport report = SmallDirectory.verify(disk);
      assertThat(report.isSound()).as("%s", report.findings()).isTrue();
      assertThat(report.findings())
          .extracting(Finding::kind)
          .contains(FindingKind.OFFSETS_GIVEN_UP);
      for (Path file : before.keySet()) {
        if (file.toString().endsWith(SegmentFiles.SNAPSHOT)) {
          assertThat(SmallDirectory.bytes(disk, file)).as("%s", file).isEqualTo(before.get(file));
        }
      }
    }
  }

  @Test
  void another_loss_than_the_noted_one_is_told_again() throws IOException {
    try (SimDisk disk = directory.diskWith(logs().get(0), new byte[0])) {
      apply(disk);
      try (DiskFile second = disk.open(logs().get(1))) {
        second.truncate(0);
      }
      assertThat(SmallDirectory.verify(disk).findings())
          .extracting(Finding::kind)
          .contains(FindingKind.OFFSETS_MISSING);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".log", ".index", ".snapshot", "leader-epoch-checkpoint"})
  void beside_a_file_that_cannot_be_read_nothing_is_changed(String ending) throws IOException {
    Path file =
        directory.files().keySet().stream()
            .filter(each -> each.getParent().equals(FOLDER) && each.toString().endsWith(ending))
            .findFirst()
            .orElseThrow();
    try (SimDisk disk = directory.diskWith(file, null)) {
      disk.createDirectories(file);
      Map<Path, byte[]> before = contents(disk, FOLDER);

      Repair.Plan left = apply(disk);

      assertThat(left.beyond()).extracting(Finding::file).contains(file);
      assertThat(left.isSound()).isFalse();
      assertThat(contents(disk, FOLDER)).containsExactlyEntriesOf(before);
    }
  }

  @Test
  void a_checkpoint_that_cannot_be_read_stops_all() throws IOException {
    Path checkpoint = SmallDirectory.DATA.resolve("recovery-point-offset-checkpoint");
    try (SimDisk disk = directory.diskWith(checkpoint, null)) {
      disk.createDirectories(checkpoint);
      assertThat(apply(disk).beyond()).extracting(Finding::file).containsExactly(checkpoint);
    }
  }

  @Test
  void a_log_with_a_wrong_name_gets_the_one_that_its_batches_say() throws IOException {
    Path right = logs().get(1);
    Path wrong = SegmentFiles.path(FOLDER, baseOf(right) + 1, SegmentFiles.LOG);
    try (SimDisk disk = directory.diskWith(right, null)) {
      write(disk, wrong, directory.files().get(right));

      assertThat(apply(disk).isSound()).isTrue();

      assertThat(SmallDirectory.bytes(disk, right)).isEqualTo(directory.files().get(right));
      assertThat(disk.exists(wrong)).isFalse();
      assertThat(SmallDirectory.verify(disk).isSound()).isTrue();
    }
  }

  @Test
  void logs_whose_names_were_exchanged_are_left_alone() throws IOException {
    Path one = logs().get(0);
    Path other = logs().get(1);
    try (SimDisk disk = directory.diskWith(one, directory.files().get(other))) {
      disk.delete(other);
      write(disk, other, directory.files().get(one));

      assertThat(apply(disk).isSound()).isFalse();

      assertThat(SmallDirectory.bytes(disk, one)).isEqualTo(directory.files().get(other));
      assertThat(SmallDirectory.bytes(disk, other)).isEqualTo(directory.files().get(one));
    }
  }

  @Test
  void a_swap_that_was_interrupted_is_finished_before_anything_else() throws IOException {
    Path log = logs().get(0);
    Path swap = log.resolveSibling(log.getFileName() + SegmentFiles.SWAP);
    try (SimDisk disk = directory.diskWith(log, "damaged".getBytes(StandardCharsets.US_ASCII))) {
      write(disk, swap, directory.files().get(log));

      assertThat(apply(disk).isSound()).isTrue();

      assertThat(SmallDirectory.bytes(disk, log)).isEqualTo(directory.files().get(log));
      assertThat(disk.exists(swap)).isFalse();
    }
  }

  @Test
  void a_damaged_swap_takes_no_place() throws IOException {
    Path log = logs().get(0);
    byte[] damaged = directory.files().get(log).clone();
    damaged[damaged.length - 1] ^= 1;
    try (SimDisk disk = directory.diskWith(log, directory.files().get(log))) {
      write(disk, log.resolveSibling(log.getFileName() + SegmentFiles.SWAP), damaged);

      apply(disk);

      assertThat(SmallDirectory.bytes(disk, log)).isEqualTo(directory.files().get(log));
    }
  }

  @Test
  void a_large_file_of_zeros_is_kept_without_its_zeros() throws IOException {
    Path file = FOLDER.resolve("partition.metadata");
    try (SimDisk disk = directory.diskWith(file, new byte[1 << 20])) {
      disk.createDirectories(SmallDirectory.QUARANTINE);

      apply(disk);

      assertThat(disk.sizeBytes(SmallDirectory.QUARANTINE.resolve("1/orders-0/partition.metadata")))
          .isEqualTo(1 << 20);
    }
  }
}
