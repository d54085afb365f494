package io.tidelog.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NioDiskTest {
  @TempDir Path root;
  private final Disk disk = new NioDisk();

  @Test
  void bytes_are_read_back_from_heap_and_direct_buffers() throws IOException {
    byte[] bytes = new byte[700_001];
    new Random(1).nextBytes(bytes);
    try (DiskFile file = disk.create(root.resolve("a"))) {
      file.write(ByteBuffer.wrap(bytes), 3);
      file.write(ByteBuffer.allocateDirect(3).put(new byte[] {1, 2, 3}).flip(), 0);
      ByteBuffer heap = ByteBuffer.allocate(bytes.length + 10);
      ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);

      assertThat(file.read(heap, 0)).isEqualTo(bytes.length + 3);
      assertThat(file.read(direct, 3)).isEqualTo(bytes.length);

      assertThat(heap.flip().slice(0, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      assertThat(heap.slice(3, bytes.length)).isEqualTo(ByteBuffer.wrap(bytes));
      assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(bytes));
      assertThat(file.read(ByteBuffer.allocate(1), bytes.length + 3L)).isZero();
    }
  }

  @Test
  void a_map_outlives_the_file_and_may_not_pass_its_end() throws IOException {
    DiskFile file = disk.create(root.resolve("a"));
    file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 0);
    assertThatThrownBy(() -> file.map(2, 3)).isInstanceOf(IOException.class);
    assertThat(file.sizeBytes()).isEqualTo(4);
    ByteBuffer map = file.map(1, 3);
    file.close();
    assertThat(map).isEqualTo(ByteBuffer.wrap(new byte[] {2, 3, 4}));
    assertThat(map.isReadOnly()).isTrue();
  }

  @Test
  void a_file_can_be_given_the_time_of_another() throws IOException {
    disk.create(root.resolve("a")).close();
    disk.setModifiedMs(root.resolve("a"), 1_700_000_000_123L);
    assertThat(disk.modifiedMs(root.resolve("a"))).isEqualTo(1_700_000_000_123L);
    assertThatThrownBy(() -> disk.setModifiedMs(root.resolve("b"), 1))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void transfer_sends_what_there_is() throws IOException {
    try (DiskFile file = disk.create(root.resolve("a"))) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 0);
      var sent = new java.io.ByteArrayOutputStream();
      assertThat(file.transferTo(1, 100, Channels.newChannel(sent))).isEqualTo(3);
      assertThat(sent.toByteArray()).containsExactly(2, 3, 4);
    }
  }

  @Test
  void names_are_listed_sorted_renamed_with_replacement_and_deleted() throws IOException {
    disk.createDirectories(root.resolve("d/e"));
    disk.create(root.resolve("d/b")).close();
    disk.create(root.resolve("d/a")).close();
    assertThat(disk.list(root.resolve("d"))).containsExactly("a", "b", "e");
    disk.rename(root.resolve("d/a"), root.resolve("d/b"));
    assertThat(disk.list(root.resolve("d"))).containsExactly("b", "e");
    disk.syncDirectory(root.resolve("d"));
    assertThatThrownBy(() -> disk.delete(root.resolve("d")))
        .isInstanceOf(DirectoryNotEmptyException.class);
    disk.rename(root.resolve("d"), root.resolve("f"));
    disk.delete(root.resolve("f/b"));
    disk.delete(root.resolve("f/e"));
    disk.delete(root.resolve("f"));
    assertThat(disk.exists(root.resolve("f"))).isFalse();
  }

  @Test
  void missing_and_existing_files_are_told_by_type() throws IOException {
    Path missing = root.resolve("none");
    assertThatThrownBy(() -> disk.open(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.openReadOnly(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.list(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.delete(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.sizeBytes(missing)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.rename(missing, root.resolve("x")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk.syncDirectory(missing)).isInstanceOf(NoSuchFileException.class);
    disk.create(root.resolve("a")).close();
    assertThatThrownBy(() -> disk.create(root.resolve("a")))
        .isInstanceOf(FileAlreadyExistsException.class);
    try (DiskFile file = disk.openReadOnly(root.resolve("a"))) {
      assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[1]), 0))
          .isInstanceOf(NonWritableChannelException.class);
    }
  }

  @Test
  void truncate_cuts_and_never_grows() throws IOException {
    try (DiskFile file = disk.create(root.resolve("a"))) {
      file.write(ByteBuffer.wrap(new byte[10]), 0);
      file.truncate(20);
      assertThat(file.sizeBytes()).isEqualTo(10);
      file.truncate(4);
      assertThat(file.sizeBytes()).isEqualTo(4);
      file.sync();
      assertThat(disk.sizeBytes(root.resolve("a"))).isEqualTo(4);
    }
  }

  @Test
  void a_lock_excludes_a_second_holder_in_this_process_until_closed() throws IOException {
    Path file = root.resolve(".lock");
    DiskLock first = disk.lock(file);
    assertThatThrownBy(() -> new NioDisk().lock(root.resolve("./.lock")))
        .isInstanceOf(DiskLockedException.class)
        .hasMessageContaining(".lock");
    first.close();
    first.close();
    DiskLock second = disk.lock(file);
    assertThatThrownBy(() -> disk.lock(file)).isInstanceOf(DiskLockedException.class);
    second.close();
  }

  @Test
  void free_space_is_told_even_for_a_path_that_does_not_exist_yet() throws IOException {
    assertThat(disk.usableBytes(root.resolve("not/yet"))).isPositive();
    assertThat(disk.totalBytes(root.resolve("not/yet")))
        .isGreaterThanOrEqualTo(disk.usableBytes(root));
  }

  @Test
  void a_full_disk_is_its_own_exception() throws IOException {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.exists(full));
    try (DiskFile file = disk.open(full)) {
      assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[10]), 0))
          .isInstanceOf(DiskFullException.class)
          .hasMessageContaining("/dev/full");
    }
  }

  /** Whoever runs as root is never denied anything, so the JDK's exception is made here. */
  @Test
  void a_denied_access_says_so_and_what_to_do() {
    AccessDeniedException bare = new AccessDeniedException("/data/orders-0/7.snapshot");
    assertThatThrownBy(
            () ->
                Explained.call(
                    Path.of("/data"),
                    () -> {
                      throw bare;
                    }))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("/data/orders-0/7.snapshot: permission is denied; let this user")
        .hasCause(bare);
  }
}
