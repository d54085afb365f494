package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidelog.disk.DiskFullException;
import io.tidelog.testkit.CrashSweep;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A power cut or a failing call at any moment leaves the old or the new contents. */
class SideFilesSurvivePowerCutsCrashTest {
  private static final Path DATA = Path.of("/data");
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

  private static OffsetCheckpoint checkpoint(SimDisk disk) {
    return new OffsetCheckpoint(disk, DATA, OffsetCheckpoint.Kind.RECOVERY_POINT);
  }

  private static CrashSweep<Long> threeWrites() {
    return CrashSweep.<Long>of(
            (disk, acknowledge) -> {
              for (long offset = 1; offset <= 3; offset++) {
                checkpoint(disk).write(Map.of(PARTITION, offset));
                acknowledge.accept(offset);
              }
            })
        .startingWith(disk -> disk.createDirectories(DATA))
        .seeds(20);
  }

  private static void isLastOrNext(SimDisk disk, List<Long> acknowledged) throws IOException {
    long last = acknowledged.isEmpty() ? 0 : acknowledged.get(acknowledged.size() - 1);
    long found = checkpoint(disk).read().getOrDefault(PARTITION, 0L);
    assertThat(found).isBetween(last, last + 1);
    checkpoint(disk).write(Map.of(PARTITION, 9L));
    assertThat(checkpoint(disk).read()).isEqualTo(Map.of(PARTITION, 9L));
  }

  @Test
  void a_checkpoint_is_replaced_whole_at_every_power_cut() throws Exception {
    assertThat(threeWrites().afterEachCut(SideFilesSurvivePowerCutsCrashTest::isLastOrNext))
        .isGreaterThan(15);
  }

  @Test
  void a_checkpoint_is_replaced_whole_at_every_failing_call() throws Exception {
    assertThat(threeWrites().afterEachFailure(SideFilesSurvivePowerCutsCrashTest::isLastOrNext))
        .isGreaterThanOrEqualTo(15);
  }

  @Test
  void a_full_disk_leaves_the_old_contents() throws Exception {
    for (int bytes = 0; bytes < "0\n1\norders 3 2\n".length(); bytes++) {
      SimDisk disk = new SimDisk(1);
      disk.createDirectories(DATA);
      checkpoint(disk).write(Map.of(PARTITION, 1L));
      disk.limitSpace(bytes);
      assertThatExceptionOfType(DiskFullException.class)
          .isThrownBy(() -> checkpoint(disk).write(Map.of(PARTITION, 2L)));
      assertThat(checkpoint(disk).read()).isEqualTo(Map.of(PARTITION, 1L));
      disk.limitSpace(100);
      checkpoint(disk).write(Map.of(PARTITION, 2L));
      assertThat(checkpoint(disk).read()).isEqualTo(Map.of(PARTITION, 2L));
    }
  }

  @Test
  void a_removed_clean_shutdown_marker_stays_away() throws Exception {
    CrashSweep.<String>of(
            (disk, acknowledge) -> {
              CleanShutdownMarker marker = new CleanShutdownMarker(disk, DATA);
              marker.write(5);
              acknowledge.accept("written");
              marker.remove();
              acknowledge.accept("removed");
            })
        .startingWith(disk -> disk.createDirectories(DATA))
        .seeds(20)
        .afterEachCut(
            (disk, acknowledged) -> {
              CleanShutdownMarker marker = new CleanShutdownMarker(disk, DATA);
              if (acknowledged.size() == 2) {
                assertThat(marker.exists()).isFalse();
              } else if (marker.exists()) {
                assertThat(marker.brokerEpoch()).hasValue(5);
              }
            });
  }
}
