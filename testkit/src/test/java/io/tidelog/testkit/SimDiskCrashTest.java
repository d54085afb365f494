package io.tidelog.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The promises of the fault model, and that each of its outcomes does come up. */
class SimDiskCrashTest {
  private static final Path ROOT = Path.of("/");
  private static final Path FILE = Path.of("/a");
  private static final int SEEDS = 300;

  private final SimDisk disk = new SimDisk(7);

  @Test
  void synced_bytes_and_names_always_survive() throws IOException {
    try (DiskFile file = disk.create(FILE)) {
      file.write(filled(20_000, 1), 0);
      file.sync();
      disk.syncDirectory(ROOT);
      file.write(filled(30_000, 2), 20_000);
    }
    for (int seed = 0; seed < SEEDS; seed++) {
      byte[] after = contents(disk.crash(seed), FILE);
      assertThat(after.length).isBetween(20_000, 50_000);
      for (int i = 0; i < 20_000; i++) {
        assertThat(after[i]).isEqualTo((byte) 1);
      }
    }
  }

  @Test
  void unsynced_blocks_are_kept_dropped_and_torn_and_lengths_vary() throws IOException {
    try (DiskFile file = disk.create(FILE)) {
      file.write(filled(8192, 1), 0);
      file.sync();
      disk.syncDirectory(ROOT);
      file.write(filled(8192, 2), 0);
      file.write(filled(8192, 2), 8192);
    }
    Set<String> blocks = new TreeSet<>();
    Set<Integer> lengths = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      byte[] after = contents(disk.crash(seed), FILE);
      lengths.add(after.length);
      blocks.add(kind(Arrays.copyOfRange(after, 0, 4096)));
      if (after.length == 16_384) {
        blocks.add("appended " + kind(Arrays.copyOfRange(after, 8192, 12_288)));
      }
    }
    assertThat(blocks)
        .containsExactly("appended new", "appended old", "appended torn", "new", "old", "torn");
    assertThat(lengths).contains(8192, 16_384).hasSizeGreaterThan(20);
  }

  /** Also checks that no sector is mixed. */
  private static String kind(byte[] block) {
    Set<Byte> values = new HashSet<>();
    for (int sector = 0; sector < block.length; sector += 512) {
      Set<Byte> inSector = new HashSet<>();
      for (int i = sector; i < sector + 512; i++) {
        inSector.add(block[i]);
      }
      assertThat(inSector).hasSize(1);
      values.addAll(inSector);
    }
    return values.size() > 1 ? "torn" : values.contains((byte) 2) ? "new" : "old";
  }

  @Test
  void a_file_that_was_synced_but_not_its_directory_may_be_missing() throws IOException {
    try (DiskFile file = disk.create(FILE)) {
      file.write(filled(10, 1), 0);
      file.sync();
    }
    Set<Boolean> there = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      SimDisk after = disk.crash(seed);
      there.add(after.exists(FILE));
      if (after.exists(FILE)) {
        assertThat(contents(after, FILE)).hasSize(10).containsOnly(1);
      }
    }
    assertThat(there).containsExactlyInAnyOrder(true, false);
  }

  @Test
  void an_unsynced_rename_is_kept_or_lost_whole() throws IOException {
    disk.createDirectories(Path.of("/t-0"));
    durable(disk, Path.of("/t-0/x"), 1);
    durable(disk, Path.of("/old"), 2);
    durable(disk, Path.of("/new"), 3);
    disk.rename(Path.of("/t-0"), Path.of("/t-0.id-delete"));
    disk.rename(Path.of("/new"), Path.of("/old"));
    Set<List<String>> outcomes = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      SimDisk after = disk.crash(seed);
      outcomes.add(after.list(ROOT));
      Path folder = after.exists(Path.of("/t-0")) ? Path.of("/t-0") : Path.of("/t-0.id-delete");
      assertThat(contents(after, folder.resolve("x"))).containsOnly(1);
      assertThat(contents(after, Path.of("/old")))
          .containsOnly(after.exists(Path.of("/new")) ? 2 : 3);
    }
    assertThat(outcomes)
        .containsExactlyInAnyOrder(
            List.of("new", "old", "t-0"),
            List.of("new", "old", "t-0.id-delete"),
            List.of("old", "t-0"),
            List.of("old", "t-0.id-delete"));
  }

  @Test
  void an_unsynced_delete_may_come_back_and_a_synced_one_never_does() throws IOException {
    durable(disk, Path.of("/a"), 1);
    durable(disk, Path.of("/b"), 1);
    disk.delete(Path.of("/a"));
    disk.syncDirectory(ROOT);
    disk.delete(Path.of("/b"));
    Set<List<String>> outcomes = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      outcomes.add(disk.crash(seed).list(ROOT));
    }
    assertThat(outcomes).containsExactlyInAnyOrder(List.of(), List.of("b"));
  }

  @Test
  void a_name_is_not_taken_by_a_second_file_before_the_first_has_left_it() throws IOException {
    durable(disk, Path.of("/a"), 1);
    disk.rename(Path.of("/a"), Path.of("/a.deleted"));
    try (DiskFile file = disk.create(Path.of("/a"))) {
      file.write(filled(10, 2), 0);
      file.sync();
    }
    Set<List<String>> outcomes = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      SimDisk after = disk.crash(seed);
      outcomes.add(after.list(ROOT));
      Path first = after.exists(Path.of("/a.deleted")) ? Path.of("/a.deleted") : Path.of("/a");
      assertThat(contents(after, first)).containsOnly(1);
    }
    assertThat(outcomes)
        .containsExactlyInAnyOrder(List.of("a"), List.of("a.deleted"), List.of("a", "a.deleted"));
  }

  @Test
  void blocks_that_a_failed_sync_should_have_written_stay_doubtful() throws IOException {
    durable(disk, FILE, 1);
    try (DiskFile file = disk.open(FILE)) {
      file.write(filled(10, 2), 0);
      disk.failWhen(call -> call.kind() == DiskCall.Kind.SYNC);
      org.assertj.core.api.Assertions.assertThatThrownBy(file::sync)
          .isInstanceOf(IOException.class);
      disk.heal();
      file.sync();
    }
    Set<Byte> found = new HashSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      found.add(contents(disk.crash(seed), FILE)[0]);
    }
    assertThat(found).containsExactlyInAnyOrder((byte) 1, (byte) 2);
  }

  @Test
  void a_crash_repeats_with_its_seed() throws IOException {
    try (DiskFile file = disk.create(FILE)) {
      file.write(filled(50_000, 1), 0);
    }
    disk.syncDirectory(ROOT);
    for (int seed = 0; seed < 20; seed++) {
      assertThat(contents(disk.crash(seed), FILE)).isEqualTo(contents(disk.crash(seed), FILE));
    }
  }

  private static void durable(Disk disk, Path path, int value) throws IOException {
    try (DiskFile file = disk.create(path)) {
      file.write(filled(10, value), 0);
      file.sync();
    }
    disk.syncDirectory(path.getParent());
    disk.syncDirectory(ROOT);
  }

  private static ByteBuffer filled(int size, int value) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  private static byte[] contents(SimDisk disk, Path path) throws IOException {
    try (DiskFile file = disk.openReadOnly(path)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
      file.read(bytes, 0);
      return bytes.array();
    }
  }
}
