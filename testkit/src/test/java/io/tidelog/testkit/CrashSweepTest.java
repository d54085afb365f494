package io.tidelog.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The sweep finds each step that a safe replacement of a file cannot do without. */
class CrashSweepTest {
  private static final Path DIRECTORY = Path.of("/d");
  private static final Path FILE = DIRECTORY.resolve("f");
  private static final Path TEMPORARY = DIRECTORY.resolve("f.tmp");

  private enum Step {
    SYNC_FILE,
    SYNC_DIRECTORY
  }

  private static void replace(Disk disk, Consumer<Integer> acknowledge, List<Step> steps)
      throws IOException {
    for (int value = 1; value <= 3; value++) {
      try (DiskFile file = disk.create(TEMPORARY)) {
        file.write(ByteBuffer.allocate(4000).putInt(0, value).putInt(3996, value), 0);
        if (steps.contains(Step.SYNC_FILE)) {
          file.sync();
        }
      }
      disk.rename(TEMPORARY, FILE);
      if (steps.contains(Step.SYNC_DIRECTORY)) {
        disk.syncDirectory(DIRECTORY);
      }
      acknowledge.accept(value);
    }
  }

  private static void check(Disk disk, List<Integer> acknowledged) throws IOException {
    if (!disk.exists(FILE)) {
      assertThat(acknowledged).isEmpty();
      return;
    }
    try (DiskFile file = disk.openReadOnly(FILE)) {
      ByteBuffer bytes = ByteBuffer.allocate(4000);
      assertThat(file.read(bytes, 0)).isEqualTo(4000);
      int value = bytes.getInt(0);
      assertThat(bytes.getInt(3996)).isEqualTo(value);
      int last = acknowledged.isEmpty() ? 0 : acknowledged.get(acknowledged.size() - 1);
      assertThat(value).isBetween(last, last + 1);
    }
  }

  private static CrashSweep<Integer> sweep(Step... steps) {
    return CrashSweep.<Integer>of((disk, acknowledge) -> replace(disk, acknowledge, List.of(steps)))
        .startingWith(disk -> disk.createDirectories(DIRECTORY))
        .seeds(20);
  }

  @Test
  void a_safe_protocol_passes_at_every_cut() throws Exception {
    long cuts = sweep(Step.SYNC_FILE, Step.SYNC_DIRECTORY).afterEachCut(CrashSweepTest::check);
    assertThat(cuts).isEqualTo(3 * 5 + 1);
  }

  @Test
  void a_missing_sync_of_the_file_is_found() {
    assertThatThrownBy(() -> sweep(Step.SYNC_DIRECTORY).afterEachCut(CrashSweepTest::check))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("repeat with .only(");
  }

  @Test
  void a_missing_sync_of_the_directory_is_found() {
    assertThatThrownBy(() -> sweep(Step.SYNC_FILE).afterEachCut(CrashSweepTest::check))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("acknowledged: [1");
  }

  @Test
  void a_file_left_open_by_the_check_is_found() {
    CrashSweep<Integer> sweep = sweep(Step.SYNC_FILE, Step.SYNC_DIRECTORY);
    assertThatThrownBy(
            () -> sweep.afterEachCut((disk, acknowledged) -> disk.create(DIRECTORY.resolve("x"))))
        .isInstanceOf(AssertionError.class)
        .cause()
        .hasMessageContaining("left open");
  }

  @Test
  void a_failure_of_the_action_itself_is_not_taken_for_the_cut() {
    CrashSweep<Integer> broken =
        CrashSweep.of(
            (disk, acknowledge) -> {
              throw new IllegalStateException("a bug");
            });
    assertThatThrownBy(() -> broken.afterEachCut(CrashSweepTest::check))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void every_call_fails_once_in_a_failure_sweep() throws Exception {
    long calls =
        CrashSweep.<Integer>of(
                (disk, acknowledge) -> {
                  disk.list(DIRECTORY);
                  disk.createDirectories(DIRECTORY.resolve("x"));
                  acknowledge.accept(1);
                })
            .startingWith(disk -> disk.createDirectories(DIRECTORY))
            .afterEachFailure(
                (disk, acknowledged) ->
                    assertThat(disk.exists(DIRECTORY.resolve("x")))
                        .isEqualTo(acknowledged.equals(List.of(1))));
    assertThat(calls).isEqualTo(2);
  }
}
