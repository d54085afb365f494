package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.coordinator.common.runtime.CoordinatorLoader.LoadSummary;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.generated.OffsetCommitKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateReplayTest {
  private static final int BUFFER_BYTES = 4_096;
  private static final Map<String, String> FSYNC = Map.of("tidelog.durability", "fsync");

  @TempDir Path directory;
  private final Playback playback = new Playback();

  private StateReplay<CoordinatorRecord> replay(OffsetsLog offsets) {
    return new StateReplay<>(
        offsets.log, playback, new GroupCoordinatorRecordSerde(), BUFFER_BYTES);
  }

  @Test
  void every_record_is_played_once_and_in_order_also_from_batches_larger_than_the_buffer()
      throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of("segment.bytes", "40000"))) {
      offsets.append(OffsetsLog.commits(0, 1));
      offsets.append(OffsetsLog.commits(1, 300));
      offsets.append(OffsetsLog.commits(301, 699));
      StateReplay<CoordinatorRecord> replay = replay(offsets);
      assertThat(replay.run(() -> true)).isTrue();
      assertThat(replay.summary(10, 15, 35))
          .isEqualTo(new LoadSummary(15, 35, 5, 1_000, offsets.log.sizeBytes()));
      assertThat(offsets.log.segments()).hasSizeGreaterThan(1);
    }
    assertThat(playback.offsets)
        .containsExactlyElementsOf(LongStream.range(0, 1_000).boxed().toList());
    assertThat(playback.records)
        .extracting(record -> ((OffsetCommitKey) record.key()).partition())
        .containsExactlyElementsOf(
            LongStream.range(0, 1_000).mapToInt(i -> (int) i).boxed().toList());
    assertThat(playback.written).isEqualTo(1_000);
    assertThat(playback.committed).containsExactly(1_000L);
  }

  @Test
  void what_is_lost_with_damage_is_passed_over_and_all_else_counts() throws IOException {
    Path file;
    int secondBatch;
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      offsets.append(OffsetsLog.commits(0, 100));
      secondBatch = (int) offsets.log.sizeBytes();
      offsets.append(OffsetsLog.commits(100, 100));
      offsets.append(OffsetsLog.commits(200, 100));
      file = Path.of(offsets.log.segments().get(0).toString());
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[secondBatch + 1_000] ^= 1;
    Files.write(file, bytes);
    try (OffsetsLog offsets = OffsetsLog.reopen(directory)) {
      assertThat(replay(offsets).run(() -> true)).isTrue();
    }
    assertThat(playback.offsets)
        .containsExactlyElementsOf(
            LongStream.concat(LongStream.range(0, 100), LongStream.range(200, 300))
                .boxed()
                .toList());
    assertThat(playback.written).isEqualTo(300);
    assertThat(playback.committed).containsExactly(300L);
  }

  @Test
  void a_long_log_is_committed_on_the_way() throws IOException {
    int total = 100_000;
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      for (int first = 0; first < total; first += 1_000) {
        offsets.append(OffsetsLog.commits(first, 1_000));
      }
      replay(offsets).run(() -> true);
    }
    long previous = 0;
    for (long commit : playback.committed) {
      assertThat(commit - previous).isLessThan(16_384 + 1_000);
      previous = commit;
    }
    assertThat(playback.committed).hasSizeBetween(6, 7).endsWith((long) total);
  }

  @Test
  void what_is_past_the_high_watermark_is_played_but_not_committed() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, FSYNC)) {
      offsets.append(OffsetsLog.commits(0, 10));
      offsets.time.advanceMs(0);
      offsets.append(OffsetsLog.commits(10, 10));
      offsets.append(OffsetsLog.commits(20, 10));
      assertThat(offsets.log.view().highWatermark()).isEqualTo(10);
      replay(offsets).run(() -> true);
      assertThat(playback.offsets).hasSize(30);
      assertThat(playback.written).isEqualTo(30);
      assertThat(playback.committed).containsExactly(10L);
    }
  }

  @Test
  void an_empty_log_that_does_not_start_at_0_still_says_where_the_next_append_lands()
      throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      offsets.append(OffsetsLog.commits(0, 10));
      offsets.log.advanceStart(10);
      assertThat(replay(offsets).run(() -> true)).isTrue();
    }
    assertThat(playback.offsets).isEmpty();
    assertThat(playback.written).isEqualTo(10);
    assertThat(playback.committed).containsExactly(10L);
  }

  @Test
  void a_new_log_is_loaded_without_a_word() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      assertThat(replay(offsets).run(() -> true)).isTrue();
    }
    assertThat(playback.written).isZero();
    assertThat(playback.committed).isEmpty();
  }

  @Test
  void it_stops_between_two_reads_when_it_is_not_wanted_any_more() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      for (int i = 0; i < 100; i++) {
        offsets.append(OffsetsLog.commits(i * 10, 10));
      }
      assertThat(replay(offsets).run(() -> playback.offsets.size() < 200)).isFalse();
    }
    assertThat(playback.offsets.size()).isBetween(200, 300);
  }

  @Test
  void markers_of_transactions_are_played_with_their_producer() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      offsets.append(marker(7, ControlRecordType.COMMIT));
      offsets.append(marker(8, ControlRecordType.ABORT));
      replay(offsets).run(() -> true);
    }
    assertThat(playback.markers).containsExactly("7 COMMIT", "8 ABORT");
    assertThat(playback.offsets).isEmpty();
    assertThat(playback.committed).endsWith(2L);
  }

  private static MemoryRecords marker(long producerId, ControlRecordType type) {
    return MemoryRecords.withEndTransactionMarker(
        5, producerId, (short) 0, new EndTransactionMarker(type, 0));
  }

  @Test
  void a_record_of_an_unknown_type_is_left_out() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      offsets.append(rawKey((short) 999));
      offsets.append(OffsetsLog.commits(0, 1));
      assertThat(replay(offsets).run(() -> true)).isTrue();
    }
    assertThat(playback.offsets).containsExactly(1L);
  }

  @Test
  void a_record_that_cannot_be_read_is_named_by_log_and_offset() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      offsets.append(OffsetsLog.commits(0, 2));
      offsets.append(rawKey((short) 1));
      assertThatThrownBy(() -> replay(offsets).run(() -> true))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("__consumer_offsets-0 at offset 2");
    }
  }

  private static MemoryRecords rawKey(short type) {
    byte[] key = ByteBuffer.allocate(2).putShort(type).array();
    return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(5, key, new byte[0]));
  }
}
