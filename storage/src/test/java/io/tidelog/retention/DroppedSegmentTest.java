package io.tidelog.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.LogSlice;
import io.tidelog.log.OffsetOutOfRangeException;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of the files of a segment that retention dropped, and of those who read it. */
class DroppedSegmentTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final Map<String, String> SETTINGS =
      Map.of(
          "segment.bytes", "100",
          "retention.ms", "1000",
          "file.delete.delay.ms", "60000");

  private final SimDisk disk = new SimDisk(1);

  @Test
  void its_files_are_renamed_together_and_are_gone_after_the_delay() throws IOException {
    try (Lab lab = threeSegments()) {
      List<String> before = filesOf(0);
      assertThat(before)
          .contains("00000000000000000000.log", "00000000000000000000.index")
          .contains("00000000000000000000.timeindex");
      drop(lab);
      assertThat(filesOf(0))
          .containsExactlyElementsOf(before.stream().map(name -> name + ".deleted").toList());
      lab.scheduler.advanceMs(59_999);
      assertThat(filesOf(0)).hasSize(before.size());
      lab.scheduler.advanceMs(1);
      assertThat(filesOf(0)).isEmpty();
      assertThat(filesOf(1)).isEmpty();
      assertThat(filesOf(2)).contains("00000000000000000002.log");
    }
  }

  @Test
  void its_producer_snapshot_goes_and_that_of_the_first_one_left_stays() throws IOException {
    try (Lab lab = threeSegments()) {
      drop(lab);
      assertThat(disk.list(FOLDER))
          .contains("00000000000000000002.snapshot")
          .doesNotContain("00000000000000000001.snapshot");
    }
  }

  @Test
  void a_slice_of_it_goes_on_reading_after_its_files_are_gone() throws IOException {
    try (Lab lab = threeSegments()) {
      LogSlice slice = lab.orders().read(0, 1000, ReadUpTo.HIGH_WATERMARK);
      drop(lab);
      lab.scheduler.advanceMs(60_000);
      assertThat(filesOf(0)).isEmpty();
      ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
      slice.read(bytes, 0);
      List<Lab.Entry> entries = new ArrayList<>();
      Lab.addEntries(bytes.flip(), 0, entries);
      assertThat(entries).extracting(Lab.Entry::value).containsExactly("a value that fills it 0");
      slice.release();
    }
    disk.close();
  }

  @Test
  void its_offsets_are_out_of_range_at_once_and_after_a_restart() throws IOException {
    try (Lab lab = threeSegments()) {
      drop(lab);
      assertThatThrownBy(() -> lab.orders().read(1, 1000, ReadUpTo.HIGH_WATERMARK))
          .isInstanceOf(OffsetOutOfRangeException.class);
    }
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      assertThat(lab.orders().view().start()).isEqualTo(2);
      assertThat(lab.orders().view().end()).isEqualTo(3);
      assertThat(disk.list(FOLDER)).noneMatch(name -> name.endsWith(".deleted"));
      assertThat(lab.events).isEmpty();
    }
  }

  @Test
  void leader_epochs_that_ended_in_it_are_forgotten() throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, SETTINGS)) {
      PartitionLog log = lab.orders();
      for (int epoch = 5; epoch < 8; epoch++) {
        log.append(
            Lab.batch(
                io.tidelog.record.Compression.NONE,
                SimClock.START_MS,
                "a value that fills it " + epoch),
            epoch,
            io.tidelog.log.AppendSource.CLIENT);
      }
      log.advanceStart(1);
      assertThat(log.epochAt(0)).isEqualTo(-1);
      assertThat(log.epochAt(1)).isEqualTo(6);
      assertThat(log.endOfEpoch(6).endOffset()).isEqualTo(2);
      assertThat(log.latestEpoch()).isEqualTo(7);
    }
  }

  private static void drop(Lab lab) throws IOException {
    assertThat(lab.orders().dropSegmentsBelow(2)).isEqualTo(2);
  }

  private List<String> filesOf(long baseOffset) throws IOException {
    String start = "%020d".formatted(baseOffset);
    return disk.list(FOLDER).stream()
        .filter(name -> name.startsWith(start) && !name.contains("snapshot"))
        .toList();
  }

  private Lab threeSegments() throws IOException {
    disk.createDirectories(DATA);
    Lab lab = Lab.open(disk, DATA, SETTINGS);
    for (int i = 0; i < 3; i++) {
      Lab.append(lab.orders(), SimClock.START_MS, "a value that fills it " + i);
    }
    return lab;
  }
}
