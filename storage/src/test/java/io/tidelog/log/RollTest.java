package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a segment is closed and the next one begun. */
class RollTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");

  private final SimDisk disk = new SimDisk(1);

  @Test
  void a_segment_takes_batches_until_the_next_one_would_not_fit() throws IOException {
    int batchBytes = Produced.at(Compression.NONE, 1000).remaining();
    try (Lab lab = lab(Map.of("segment.bytes", Integer.toString(3 * batchBytes)))) {
      appendAt(lab.orders(), 1000, 1000, 1000, 1000, 1000, 1000, 1000);
      assertThat(bases(lab.orders())).containsExactly(0L, 3L, 6L);
    }
    try (Lab lab = lab(Map.of("segment.bytes", Integer.toString(3 * batchBytes - 1)))) {
      appendAt(lab.orders(), 1000, 1000, 1000);
      assertThat(bases(lab.orders())).containsExactly(0L, 3L, 6L, 8L);
    }
  }

  @Test
  void one_batch_to_a_file_if_segments_are_no_larger() throws IOException {
    int batchBytes = Produced.at(Compression.NONE, 1000).remaining();
    try (Lab lab = lab(Map.of("segment.bytes", Integer.toString(batchBytes)))) {
      appendAt(lab.orders(), 1000, 1000, 1000, 1000);
      assertThat(bases(lab.orders())).containsExactly(0L, 1L, 2L, 3L);
    }
    try (Lab lab = lab(Map.of())) {
      FullScan.of(disk, FOLDER).agreesWith(lab.orders());
    }
  }

  @Test
  void a_batch_that_is_younger_than_the_first_one_by_more_than_segment_ms() throws IOException {
    try (Lab lab = lab(Map.of("segment.ms", "100"))) {
      appendAt(lab.orders(), 1000, 1100, 900, 1101, 1201, 5000, 1000);
      assertThat(bases(lab.orders())).containsExactly(0L, 3L, 5L);
    }
  }

  @Test
  void batches_without_a_time_go_by_the_clock() throws IOException {
    try (Lab lab = lab(Map.of("segment.ms", "100"))) {
      appendAt(lab.orders(), -1);
      lab.clock.advanceMs(100);
      appendAt(lab.orders(), -1);
      assertThat(bases(lab.orders())).containsExactly(0L);
      lab.clock.advanceMs(1);
      appendAt(lab.orders(), -1, -1);
      assertThat(bases(lab.orders())).containsExactly(0L, 2L);
    }
  }

  @Test
  void jitter_takes_up_to_its_measure_off_segment_ms_anew_for_each_segment() throws IOException {
    TreeSet<Long> ages = new TreeSet<>();
    try (Lab lab = lab(Map.of("segment.ms", "100", "segment.jitter.ms", "60"))) {
      PartitionLog log = lab.orders();
      long firstMs = 1000;
      appendAt(log, firstMs);
      for (int segments = 1; segments < 50; segments++) {
        long ageMs = 0;
        while (log.segments().size() == segments) {
          appendAt(log, firstMs + ++ageMs);
        }
        ages.add(ageMs);
        firstMs += ageMs;
      }
    }
    assertThat(ages).allSatisfy(age -> assertThat(age).isBetween(42L, 101L)).hasSizeGreaterThan(20);
  }

  @ParameterizedTest
  @CsvSource({"24,1,2", "36,2,3", "40,2,3"})
  void an_index_without_room_for_another_entry(
      int indexBytes, int timeEntries, int batchesPerSegment) throws IOException {
    Map<String, String> settings =
        Map.of("segment.index.bytes", Integer.toString(indexBytes), "index.interval.bytes", "0");
    try (Lab lab = lab(settings)) {
      appendAt(lab.orders(), 1000, 1001, 1002, 1003, 1004, 1005, 1006);
      assertThat(bases(lab.orders()).get(1)).isEqualTo(batchesPerSegment);
    }
    assertThat(disk.sizeBytes(FOLDER.resolve("00000000000000000000.timeindex")))
        .isEqualTo(12L * timeEntries);
  }

  @Test
  void an_offset_index_without_room_while_the_time_index_has_some() throws IOException {
    Map<String, String> settings = Map.of("segment.index.bytes", "40", "index.interval.bytes", "0");
    try (Lab lab = lab(settings)) {
      appendAt(lab.orders(), 1000, 900, 900, 900, 900, 900, 900, 900);
      assertThat(bases(lab.orders())).containsExactly(0L, 6L);
    }
  }

  @Test
  void an_offset_that_is_too_far_from_the_base_offset_for_an_index_entry() throws IOException {
    disk.createDirectories(FOLDER);
    try (DiskFile log = disk.create(FOLDER.resolve("00000000000000000000.log"))) {
      log.write(batchAt(0), 0);
      log.write(batchAt(Integer.MAX_VALUE - 2L), log.sizeBytes());
      log.write(batchAt(Integer.MAX_VALUE - 1L), log.sizeBytes());
    }
    try (Lab lab = lab(Map.of("index.interval.bytes", "0")).harmed()) {
      PartitionLog log = lab.orders();
      appendAt(log, 1000);
      assertThat(log.view().end()).isEqualTo(Integer.MAX_VALUE + 1L);
      assertThat(bases(log)).containsExactly(0L);
      appendAt(log, 1001, 1002);
      assertThat(bases(log)).containsExactly(0L, Integer.MAX_VALUE + 1L);
      assertThat(log.offsetAtTime(1001, ReadUpTo.LOG_END).offset())
          .isEqualTo(Integer.MAX_VALUE + 1L);
    }
    assertThat(new Damage(disk).bytes(FOLDER.resolve("00000000000000000000.index"))).hasSize(24);
  }

  private static ByteBuffer batchAt(long offset) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatch batch =
          new RecordBatchWriter(codecs)
              .begin()
              .baseOffset(offset)
              .leaderEpoch(0)
              .append(1000, null, ByteBuffer.wrap(new byte[] {1}))
              .finish();
      return Lab.copy(batch);
    }
  }

  private static void appendAt(PartitionLog log, long... timestampsMs) throws IOException {
    for (long timestampMs : timestampsMs) {
      log.append(Produced.at(Compression.NONE, timestampMs), 0, AppendSource.CLIENT);
    }
  }

  private static List<Long> bases(PartitionLog log) {
    return log.segments().stream().map(segment -> segment.baseOffset()).toList();
  }

  private Lab lab(Map<String, String> settings) throws IOException {
    disk.createDirectories(DATA);
    return Lab.open(disk, DATA, settings);
  }
}
