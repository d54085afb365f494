package io.tidelog.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.log.LogSlice;
import io.tidelog.log.ReadUpTo;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.coordinator.common.runtime.PartitionWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateWriterTest {
  private static final Map<String, String> FSYNC = Map.of("tidelog.durability", "fsync");

  @TempDir Path directory;
  private final List<Long> heard = new ArrayList<>();
  private final PartitionWriter.Listener listener = (partition, offset) -> heard.add(offset);

  @Test
  void an_append_returns_the_end_offset_and_carries_the_leader_epoch() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      assertThat(offsets.append(OffsetsLog.commits(0, 3))).isEqualTo(3);
      assertThat(offsets.append(OffsetsLog.commits(3, 1))).isEqualTo(4);
      LogSlice slice = offsets.log.read(3, 1, ReadUpTo.HIGH_WATERMARK);
      ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
      slice.read(bytes, 0);
      slice.release();
      assertThat(RecordBatch.at(bytes, 0).leaderEpoch()).isEqualTo(OffsetsLog.LEADER_EPOCH);
    }
  }

  @Test
  void a_batch_above_the_topics_limit_is_refused_and_nothing_is_written() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of("max.message.bytes", "1000"))) {
      assertThat(offsets.writer.config(OffsetsLog.NAME).maxMessageSize()).isEqualTo(1_000);
      assertThatThrownBy(() -> offsets.append(OffsetsLog.commits(0, 100)))
          .isInstanceOf(RecordTooLargeException.class)
          .hasMessageContaining("1000")
          .hasMessageContaining("max.message.bytes");
      assertThat(offsets.log.view().end()).isZero();
    }
  }

  @Test
  void the_high_watermark_is_heard_at_once_then_whenever_it_rises() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, FSYNC)) {
      offsets.append(OffsetsLog.commits(0, 5));
      offsets.time.advanceMs(0);
      offsets.writer.registerListener(OffsetsLog.NAME, listener);
      assertThat(heard).containsExactly(5L);
      offsets.append(OffsetsLog.commits(5, 5));
      offsets.append(OffsetsLog.commits(10, 5));
      assertThat(heard).containsExactly(5L);
      offsets.time.advanceMs(0);
      assertThat(heard).containsExactly(5L, 15L);
      offsets.writer.deregisterListener(OffsetsLog.NAME, listener);
      offsets.append(OffsetsLog.commits(15, 5));
      offsets.time.advanceMs(0);
      assertThat(heard).containsExactly(5L, 15L);
    }
  }

  @Test
  void a_move_of_the_start_is_not_taken_for_one_of_the_high_watermark() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      offsets.writer.registerListener(OffsetsLog.NAME, listener);
      offsets.append(OffsetsLog.commits(0, 5));
      offsets.log.advanceStart(3);
      assertThat(heard).containsExactly(5L);
    }
  }

  @Test
  void who_does_not_lead_the_partition_or_has_lost_its_log_is_told_so() throws IOException {
    try (OffsetsLog offsets = new OffsetsLog(directory, Map.of())) {
      offsets.delete();
      assertThatThrownBy(() -> offsets.append(OffsetsLog.commits(0, 1)))
          .isInstanceOf(NotLeaderOrFollowerException.class);
      offsets.led.remove(0);
      assertThatThrownBy(() -> offsets.append(OffsetsLog.commits(0, 1)))
          .isInstanceOf(NotLeaderOrFollowerException.class)
          .hasMessageContaining("__consumer_offsets-0");
    }
  }
}
