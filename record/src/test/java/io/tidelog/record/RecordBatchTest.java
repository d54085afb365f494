package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RecordBatchTest {
  private static final int AT = 5;
  private final ByteBuffer buffer = ByteBuffer.allocate(AT + RecordBatch.HEADER_BYTES + 4);
  private final RecordBatch batch = RecordBatch.at(buffer, AT);

  @Test
  void every_header_field_is_read_from_its_place() {
    buffer.position(AT);
    buffer.putLong(1000).putInt(53).putInt(7).put((byte) 2).putInt(0xfedcba98);
    buffer.putShort((short) 0).putInt(9).putLong(2000).putLong(3000);
    buffer.putLong(4000).putShort((short) 5).putInt(6).putInt(10);
    buffer.position(3);

    assertThat(batch.position()).isEqualTo(AT);
    assertThat(batch.baseOffset()).isEqualTo(1000);
    assertThat(batch.batchLength()).isEqualTo(53);
    assertThat(batch.sizeBytes()).isEqualTo(65);
    assertThat(batch.leaderEpoch()).isEqualTo(7);
    assertThat(batch.magic()).isEqualTo(RecordBatch.MAGIC);
    assertThat(batch.crc()).isEqualTo(0xfedcba98L);
    assertThat(batch.lastOffsetDelta()).isEqualTo(9);
    assertThat(batch.lastOffset()).isEqualTo(1009);
    assertThat(batch.nextOffset()).isEqualTo(1010);
    assertThat(batch.baseTimestamp()).isEqualTo(2000);
    assertThat(batch.maxTimestamp()).isEqualTo(3000);
    assertThat(batch.producerId()).isEqualTo(4000);
    assertThat(batch.hasProducerId()).isTrue();
    assertThat(batch.producerEpoch()).isEqualTo((short) 5);
    assertThat(batch.baseSequence()).isEqualTo(6);
    assertThat(batch.lastSequence()).isEqualTo(15);
    assertThat(batch.recordCount()).isEqualTo(10);
    assertThat(buffer.position()).isEqualTo(3);
  }

  @Test
  void every_attribute_bit_has_its_own_meaning() {
    for (int code = 0; code < 8; code++) {
      setAttributes(code);
      assertThat(batch.compressionCode()).isEqualTo(code);
    }
    setAttributes(0x08);
    assertThat(batch.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
    setAttributes(0x10);
    assertThat(batch.isTransactional()).isTrue();
    setAttributes(0x20);
    assertThat(batch.isControl()).isTrue();
    setAttributes(0x40);
    assertThat(batch.hasDeleteHorizon()).isTrue();
    setAttributes(0xff87);
    assertThat(batch.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
    assertThat(batch.isTransactional() || batch.isControl() || batch.hasDeleteHorizon()).isFalse();
  }

  @Test
  void an_unknown_compression_code_is_named() {
    setAttributes(5);
    assertThatThrownBy(batch::compression)
        .isInstanceOf(InvalidBatchException.class)
        .hasMessage("compression code is 5, expected 0 (none) to 4 (zstd)");
  }

  @Test
  void sequence_numbers_go_on_at_zero_after_the_largest() {
    assertThat(RecordBatch.addToSequence(Integer.MAX_VALUE - 1, 1)).isEqualTo(Integer.MAX_VALUE);
    assertThat(RecordBatch.addToSequence(Integer.MAX_VALUE, 1)).isZero();
    assertThat(RecordBatch.addToSequence(Integer.MAX_VALUE - 3, 10)).isEqualTo(6);
  }

  @Test
  void a_length_that_the_buffer_does_not_hold_is_incomplete() {
    for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 48, 54, Integer.MAX_VALUE}) {
      buffer.putInt(AT + RecordBatch.BATCH_LENGTH_AT, length);
      assertThat(batch.isComplete()).as("length %d", length).isFalse();
      assertThatThrownBy(batch::computeCrc).isInstanceOf(InvalidBatchException.class);
    }
    buffer.putInt(AT + RecordBatch.BATCH_LENGTH_AT, 53);
    assertThat(batch.isComplete()).isTrue();
  }

  @Test
  void base_offset_and_leader_epoch_are_outside_the_crc() {
    buffer.putInt(AT + RecordBatch.BATCH_LENGTH_AT, 53);
    long before = batch.computeCrc();
    batch.stampBaseOffset(77);
    batch.stampLeaderEpoch(8);
    assertThat(batch.computeCrc()).isEqualTo(before);
    assertThat(batch.baseOffset()).isEqualTo(77);
    assertThat(batch.leaderEpoch()).isEqualTo(8);
  }

  @Test
  void stamping_timestamps_keeps_the_crc_right_and_other_bits_as_they_are() {
    buffer.putInt(AT + RecordBatch.BATCH_LENGTH_AT, 53);
    setAttributes(0x74);
    batch.stampTimestamps(TimestampType.LOG_APPEND_TIME, 1234);
    assertThat(batch.attributes()).isEqualTo((short) 0x7c);
    assertThat(batch.maxTimestamp()).isEqualTo(1234);
    assertThat(batch.crc()).isEqualTo(batch.computeCrc());
    batch.stampTimestamps(TimestampType.CREATE_TIME, 1);
    assertThat(batch.attributes()).isEqualTo((short) 0x74);
    assertThat(batch.crc()).isEqualTo(batch.computeCrc());
  }

  @Test
  void a_direct_buffer_gives_the_same_crc() {
    buffer.putInt(AT + RecordBatch.BATCH_LENGTH_AT, 53);
    ByteBuffer direct =
        ByteBuffer.allocateDirect(buffer.capacity()).put(buffer.duplicate().clear());
    assertThat(RecordBatch.at(direct, AT).computeCrc()).isEqualTo(batch.computeCrc());
  }

  @Test
  void a_view_needs_the_whole_header() {
    assertThatThrownBy(() -> RecordBatch.at(buffer, AT + 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> RecordBatch.at(buffer, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  private void setAttributes(int attributes) {
    buffer.putShort(AT + RecordBatch.ATTRIBUTES_AT, (short) attributes);
  }
}
