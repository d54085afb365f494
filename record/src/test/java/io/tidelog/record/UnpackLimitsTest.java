package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidelog.record.InvalidBatchException.Reason;
import io.tidelog.record.compress.KafkaCodecs;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Batches that are small as they come and huge as they unpack. */
class UnpackLimitsTest {
  private static final int MIB = 1 << 20;
  private static final int HUGE_BYTES = 24 * MIB;

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void many_records_stop_at_the_limit_of_the_batch(Compression compression) {
    ByteBuffer bomb = bomb(compression, HUGE_BYTES / (16 << 10), 16 << 10);
    InvalidBatchException thrown = refused(bomb, new UnpackLimits(MIB, 4 * MIB));
    assertThat(thrown.reason()).isEqualTo(Reason.TOO_LARGE);
    assertThat(thrown).hasMessageContaining("unpack to more than 4194304 bytes");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void one_record_stops_at_the_limit_of_a_record(Compression compression) {
    ByteBuffer bomb = bomb(compression, 1, HUGE_BYTES);
    InvalidBatchException thrown = refused(bomb, new UnpackLimits(MIB, 2L * HUGE_BYTES));
    assertThat(thrown.reason()).isEqualTo(Reason.INVALID_RECORD);
    assertThat(thrown).hasMessageContaining("more than the 1048576 allowed");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void what_is_within_the_limits_is_read_in_little_memory(Compression compression) {
    ByteBuffer bomb = bomb(compression, HUGE_BYTES / (16 << 10), 16 << 10);
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      long before = directBytes();
      cursor.open(RecordBatch.at(bomb, 0), new UnpackLimits(MIB, 2L * HUGE_BYTES));
      int records = 0;
      while (cursor.next()) {
        records++;
      }
      assertThat(records).isEqualTo(HUGE_BYTES / (16 << 10));
      assertThat(directBytes() - before).isLessThan(8 * MIB);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void a_record_that_claims_what_does_not_come_costs_no_memory(Compression compression) {
    RecordEncoder encoder = new RecordEncoder();
    encoder.clear();
    encoder.buffer().put(new byte[] {-2, -1, -1, -1, 3, 0, 0, 0, 1, 1, 0});
    ByteBuffer liar = packed(encoder, compression, 1);
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      long before = directBytes();
      cursor.open(RecordBatch.at(liar, 0), new UnpackLimits(Integer.MAX_VALUE, Integer.MAX_VALUE));
      assertThatThrownBy(cursor::next)
          .hasMessageContaining("length is 536870911, but 6 bytes are left");
      assertThat(directBytes() - before).isLessThan(8 * MIB);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"NONE", "LZ4"})
  void a_batch_that_is_to_be_packed_anew_must_fit_in_memory(Compression wanted) {
    ByteBuffer bomb = bomb(Compression.GZIP, HUGE_BYTES / (16 << 10), 16 << 10);
    bomb.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, HUGE_BYTES / (16 << 10) - 1);
    Samples.sealed(bomb);
    BatchRules rules =
        new BatchRules(
            BatchRules.TimestampRule.DEFAULT,
            new BatchRules.SizeRule(MIB, new UnpackLimits(MIB, 2L * HUGE_BYTES)),
            Optional.of(Packing.of(wanted)),
            BatchRules.KeyRule.OPTIONAL);
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      BatchValidator validator = new BatchValidator(codecs);
      long before = directBytes();
      assertThatThrownBy(() -> validator.validate(bomb, Origin.CLIENT, rules, Samples.NOW))
          .hasMessageContaining("more than the 1048576 bytes that may be packed anew");
      assertThat(directBytes() - before).isLessThan(8 * MIB);
    }
  }

  private static InvalidBatchException refused(ByteBuffer batch, UnpackLimits limits) {
    assertThat(batch.limit()).isLessThan(HUGE_BYTES / 15);
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      long before = directBytes();
      InvalidBatchException thrown =
          catchThrowableOfType(
              InvalidBatchException.class,
              () -> {
                cursor.open(RecordBatch.at(batch, 0), limits);
                while (cursor.next()) {
                  assertThat(cursor.valueSizeBytes()).isPositive();
                }
              });
      assertThat(directBytes() - before).isLessThan(8 * MIB);
      return thrown;
    }
  }

  private static ByteBuffer bomb(Compression compression, int records, int valueBytes) {
    RecordEncoder encoder = new RecordEncoder();
    encoder.clear();
    ByteBuffer zeros = ByteBuffer.allocate(valueBytes);
    for (int i = 0; i < records; i++) {
      encoder.append(i, 0, null, zeros, List.of());
    }
    return packed(encoder, compression, records);
  }

  private static ByteBuffer packed(RecordEncoder encoder, Compression compression, int records) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      Packer packer = codecs.packer(Packing.of(compression));
      ByteBuffer plain = encoder.buffer().flip().position(RecordBatch.HEADER_BYTES);
      int bound = (int) packer.maxPackedBytes(plain.remaining());
      ByteBuffer packed = ByteBuffer.allocateDirect(RecordBatch.HEADER_BYTES + bound);
      packer.pack(plain, packed.position(RecordBatch.HEADER_BYTES));
      packed.flip().putShort(RecordBatch.ATTRIBUTES_AT, (short) compression.code());
      packed.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
      packed.putInt(RecordBatch.RECORD_COUNT_AT, records);
      Samples.sealed(packed);
      return ByteBuffer.allocate(packed.limit()).put(packed).flip();
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
