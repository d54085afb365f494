package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordBatchWriterTest {
  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final RecordBatchWriter writer = new RecordBatchWriter(codecs);

  @AfterEach
  void freeCodecs() {
    codecs.close();
  }

  @Test
  void begin_forgets_everything_of_the_batch_before() {
    ByteBuffer first = Samples.copy(writer.begin().append(1, null, null).finish());
    writer
        .begin()
        .baseOffset(9)
        .leaderEpoch(8)
        .packing(Packing.of(Compression.GZIP))
        .producer(7, (short) 6, 5)
        .transactional()
        .control()
        .logAppendTime(4)
        .deleteHorizon(3)
        .append(2, null, null);
    assertThat(Samples.copy(writer.begin().append(1, null, null).finish())).isEqualTo(first);
  }

  @Test
  void offsets_must_rise_and_stay_in_reach() {
    writer.begin().baseOffset(10).append(0, null, null);
    assertThatThrownBy(() -> writer.appendAt(10, 0, null, null, List.of()))
        .hasMessage("offset 10 is not after the last one, 10");
    assertThatThrownBy(
            () -> writer.appendAt(11 + (long) Integer.MAX_VALUE, 0, null, null, List.of()))
        .hasMessageContaining("out of reach of the base offset 10");
    assertThatThrownBy(() -> writer.finishAt(9)).isInstanceOf(IllegalArgumentException.class);
    writer.appendAt(10 + (long) Integer.MAX_VALUE, 0, null, null, List.of());
    assertThat(writer.finish().lastOffsetDelta()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void a_batch_without_records_cannot_be_finished() {
    assertThatThrownBy(() -> writer.begin().finish()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_finished_batch_takes_no_more() {
    writer.begin().append(0, null, null).finish();
    assertThatThrownBy(() -> writer.append(0, null, null))
        .hasMessage("the batch is finished; begin another one");
    assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_control_record_needs_a_control_batch() {
    assertThatThrownBy(() -> writer.begin().appendControl(0, ControlType.COMMIT, null))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(ControlType.UNKNOWN::key).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void buffers_that_are_appended_keep_their_positions() {
    ByteBuffer key = Samples.bytes("a key");
    ByteBuffer value = Samples.direct(Samples.bytes("a value")).position(2);
    writer.begin().append(0, key, value);
    assertThat(key.position()).isZero();
    assertThat(value.position()).isEqualTo(2);
    assertThat(Samples.readByUs(Samples.copy(writer.finish())))
        .containsExactly(new Samples.Row(0, 0, "a key", "value", List.of()));
  }

  @Test
  void a_delete_horizon_takes_the_place_of_the_base_timestamp_and_times_stay() {
    ByteBuffer batch =
        Samples.copy(
            writer
                .begin()
                .deleteHorizon(5_000)
                .append(10, null, null)
                .append(20, null, null)
                .finish());
    assertThat(RecordBatch.at(batch, 0).baseTimestamp()).isEqualTo(5_000);
    assertThat(RecordBatch.at(batch, 0).maxTimestamp()).isEqualTo(20);
    assertThat(Samples.readByUs(batch))
        .isEqualTo(Samples.readByKafka(batch))
        .extracting(Samples.Row::timestamp)
        .containsExactly(10L, 20L);
  }

  @Test
  void sizes_and_counts_are_known_while_writing() {
    writer.begin();
    assertThat(writer.unpackedBytes()).isEqualTo(RecordBatch.HEADER_BYTES);
    writer.append(0, Samples.bytes("7 bytes"), Samples.bytes("eleven byte"));
    assertThat(writer.unpackedBytes()).isEqualTo(61 + 7 + 18);
    assertThat(writer.recordCount()).isEqualTo(1);
  }

  @Test
  void levels_that_a_codec_does_not_have_are_refused() {
    assertThatThrownBy(() -> new Packing(Compression.GZIP, 10)).hasMessage("GZIP has no level 10");
    assertThatThrownBy(() -> new Packing(Compression.GZIP, 0)).hasMessage("GZIP has no level 0");
    assertThatThrownBy(() -> new Packing(Compression.LZ4, 18)).hasMessage("LZ4 has no level 18");
    assertThatThrownBy(() -> new Packing(Compression.ZSTD, 23)).hasMessage("ZSTD has no level 23");
    assertThatThrownBy(() -> new Packing(Compression.SNAPPY, 1))
        .hasMessage("SNAPPY has no level 1");
  }
}
