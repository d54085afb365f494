package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ControlRecordTest {
  private static final long TIME = 1_234;

  @ParameterizedTest
  @EnumSource(
      value = ControlType.class,
      names = {"ABORT", "COMMIT"})
  void an_end_of_transaction_has_kafkas_bytes(ControlType type) {
    ByteBuffer theirs =
        MemoryRecords.withEndTransactionMarker(
                55,
                TIME,
                4,
                77,
                (short) 3,
                new EndTransactionMarker(ControlRecordType.valueOf(type.name()), 9))
            .buffer();
    assertThat(marker(type)).isEqualTo(theirs);
  }

  @ParameterizedTest
  @EnumSource(
      value = ControlType.class,
      names = {"ABORT", "COMMIT"})
  void kafka_reads_our_end_of_transaction(ControlType type) {
    Record record = MemoryRecords.readableRecords(marker(type)).records().iterator().next();
    EndTransactionMarker read = EndTransactionMarker.deserialize(record);
    assertThat(read.controlType().name()).isEqualTo(type.name());
    assertThat(read.coordinatorEpoch()).isEqualTo(9);
  }

  @Test
  void types_have_kafkas_codes() {
    for (ControlType type : ControlType.values()) {
      if (type != ControlType.UNKNOWN) {
        ControlRecordType theirs = ControlRecordType.valueOf(type.name());
        assertThat(type.key()).isEqualTo(theirs.recordKey());
        assertThat(ControlType.ofKey(theirs.recordKey())).isEqualTo(type);
      }
    }
  }

  @Test
  void a_type_or_version_from_the_future_is_passed_over_or_read_as_the_first() {
    assertThat(ControlType.ofKey(shorts(0, 7))).isEqualTo(ControlType.UNKNOWN);
    assertThat(ControlType.ofKey(shorts(0, -1))).isEqualTo(ControlType.UNKNOWN);
    assertThat(ControlType.ofKey(shorts(5, 1))).isEqualTo(ControlType.COMMIT);
    assertThat(EndTransaction.ofValue(shorts(5, 0, 8, 99))).isEqualTo(new EndTransaction(8));
  }

  @Test
  void a_malformed_key_or_value_is_refused() {
    for (ByteBuffer key : new ByteBuffer[] {null, shorts(), shorts(0), shorts(-1, 0)}) {
      assertThatThrownBy(() -> ControlType.ofKey(key)).isInstanceOf(InvalidBatchException.class);
    }
    for (ByteBuffer value : new ByteBuffer[] {null, shorts(), shorts(0, 0), shorts(-1, 0, 0)}) {
      assertThatThrownBy(() -> EndTransaction.ofValue(value))
          .isInstanceOf(InvalidBatchException.class);
    }
  }

  private static ByteBuffer marker(ControlType type) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      return Samples.copy(
          new RecordBatchWriter(codecs)
              .begin()
              .baseOffset(55)
              .leaderEpoch(4)
              .producer(77, (short) 3, RecordBatch.NO_SEQUENCE)
              .transactional()
              .control()
              .appendControl(TIME, type, new EndTransaction(9).value())
              .finish());
    }
  }

  private static ByteBuffer shorts(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(values.length * Short.BYTES);
    for (int value : values) {
      buffer.putShort((short) value);
    }
    return buffer.flip();
  }
}
