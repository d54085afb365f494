package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidelog.record.BatchRules.KeyRule;
import io.tidelog.record.BatchRules.SizeRule;
import io.tidelog.record.BatchRules.TimestampRule;
import io.tidelog.record.InvalidBatchException.Reason;
import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BatchValidatorTest {
  private static final long NOW = Samples.NOW;
  private static final BatchRules COMPACTED =
      new BatchRules(TimestampRule.DEFAULT, SizeRule.DEFAULT, Optional.empty(), KeyRule.REQUIRED);

  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final BatchValidator validator = new BatchValidator(codecs);
  private final RecordBatchWriter writer = new RecordBatchWriter(codecs);

  @AfterEach
  void freeCodecs() {
    codecs.close();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void a_sound_batch_stays_as_it_is_byte_for_byte(Compression compression) {
    ByteBuffer produced = Samples.byKafka(Samples.mixedRows(), compression);
    ByteBuffer before = ByteBuffer.allocate(produced.limit()).put(produced.duplicate()).flip();
    ValidBatch valid = validate(produced, BatchRules.DEFAULT);
    assertThat(produced).isEqualTo(before);
    assertThat(valid.batch().buffer()).isSameAs(produced);
    assertThat(valid.recordCount()).isEqualTo(6);
    assertThat(valid.maxTimestamp()).isEqualTo(NOW + 70);
  }

  @Test
  void a_batch_within_a_larger_buffer_is_found_between_position_and_limit() {
    ByteBuffer batch = Samples.byUs(Samples.mixedRows(), Compression.NONE);
    ByteBuffer frame = ByteBuffer.allocateDirect(batch.limit() + 30);
    frame.position(13).put(batch).limit(frame.position()).position(13);
    ValidBatch valid = validate(frame, BatchRules.DEFAULT);
    assertThat(valid.batch().position()).isEqualTo(13);
    assertThat(frame.position()).isEqualTo(13);
  }

  // Case H01.
  @ParameterizedTest
  @EnumSource(Compression.class)
  void a_huge_record_count_costs_nothing(Compression compression) {
    ByteBuffer produced = Samples.byUs(Samples.manyRows(1), compression);
    produced.putInt(RecordBatch.RECORD_COUNT_AT, Integer.MAX_VALUE);
    produced.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, Integer.MAX_VALUE - 1);
    refused(Samples.sealed(produced), Reason.INVALID_RECORD, "record 1 of the batch");
  }

  // Case H02.
  @ParameterizedTest
  @CsvSource({"3,5", "3,1", "0,2", "-1,2", "3,-1", "0,-1", "-2147483648,2147483647"})
  void a_last_offset_delta_that_does_not_fit_the_count_is_refused(int count, int lastOffsetDelta) {
    ByteBuffer produced = Samples.byUs(Samples.manyRows(3), Compression.NONE);
    produced.putInt(RecordBatch.RECORD_COUNT_AT, count);
    produced.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, lastOffsetDelta);
    refused(Samples.sealed(produced), Reason.INVALID_RECORD, "expected");
  }

  @Test
  void records_that_are_not_numbered_in_order_are_refused() {
    ByteBuffer produced =
        Samples.copy(
            writer
                .begin()
                .append(NOW, null, null)
                .appendAt(2, NOW, null, null, List.of())
                .appendAt(3, NOW, null, null, List.of())
                .finish());
    produced.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, 2);
    InvalidBatchException thrown =
        refused(Samples.sealed(produced), Reason.INVALID_RECORD, "offset delta is 2, expected 1");
    assertThat(indexes(thrown)).containsExactly(1, 2);
  }

  // Case H04, the part of the validator.
  @ParameterizedTest
  @EnumSource(Compression.class)
  void null_keys_on_a_compacted_topic_are_all_listed(Compression compression) {
    writer.begin().packing(Packing.of(compression));
    for (int i = 0; i < 5; i++) {
      writer.append(NOW, i % 3 == 1 ? null : Samples.bytes("k" + i), Samples.bytes("v"));
    }
    ByteBuffer produced = Samples.copy(writer.finish());
    InvalidBatchException thrown = refused(produced, COMPACTED, Reason.INVALID_RECORD);
    assertThat(indexes(thrown)).containsExactly(1, 4);
    assertThat(thrown.recordErrors().get(0).message())
        .isEqualTo("a record of a compacted topic needs a key");
    assertThat(validate(produced, BatchRules.DEFAULT).recordCount()).isEqualTo(5);
  }

  @Test
  void no_more_than_a_thousand_record_errors_are_kept() {
    writer.begin();
    for (int i = 0; i < 5_000; i++) {
      writer.append(NOW, null, null);
    }
    InvalidBatchException thrown =
        refused(Samples.copy(writer.finish()), COMPACTED, Reason.INVALID_RECORD);
    assertThat(thrown.recordErrors()).hasSize(1_000);
  }

  @Test
  void timestamps_out_of_range_are_all_listed() {
    BatchRules rules = withTimestamps(new TimestampRule(TimestampType.CREATE_TIME, 1_000, 500));
    writer.begin();
    for (long timestamp :
        new long[] {NOW - 1_000, NOW - 1_001, NOW, NOW + 500, NOW + 501, Long.MIN_VALUE}) {
      writer.append(timestamp, null, null);
    }
    writer.append(RecordBatch.NO_TIMESTAMP, null, null);
    InvalidBatchException thrown =
        refused(Samples.copy(writer.finish()), rules, Reason.INVALID_TIMESTAMP);
    assertThat(indexes(thrown)).containsExactly(1, 4, 5);
    assertThat(thrown.recordErrors().get(0).message())
        .isEqualTo(
            "timestamp is 1699999998999, expected at most 1000 ms before and 500 ms after"
                + " 1700000000000");
  }

  @Test
  void by_default_a_timestamp_may_be_an_hour_in_the_future() {
    ByteBuffer hour = Samples.copy(writer.begin().append(NOW + 3_600_000, null, null).finish());
    assertThat(validate(hour, BatchRules.DEFAULT).maxTimestamp()).isEqualTo(NOW + 3_600_000);
    ByteBuffer more = Samples.copy(writer.begin().append(NOW + 3_600_001, null, null).finish());
    refused(more, BatchRules.DEFAULT, Reason.INVALID_TIMESTAMP);
  }

  @Test
  void append_time_replaces_the_producers_and_its_checks() {
    BatchRules rules = withTimestamps(new TimestampRule(TimestampType.LOG_APPEND_TIME, 0, 0));
    ByteBuffer produced = Samples.byUs(Samples.mixedRows(), Compression.ZSTD);
    ValidBatch valid = validate(produced, rules);
    assertThat(valid.maxTimestamp()).isEqualTo(NOW);
    assertThat(valid.batch().crc()).isEqualTo(valid.batch().computeCrc());
    assertThat(Samples.readByKafka(produced))
        .allSatisfy(row -> assertThat(row.timestamp()).isEqualTo(NOW));
  }

  @Test
  void a_wrong_largest_timestamp_is_corrected() {
    ByteBuffer produced = Samples.byUs(Samples.mixedRows(), Compression.NONE);
    produced.putLong(RecordBatch.MAX_TIMESTAMP_AT, NOW * 2);
    ValidBatch valid = validate(Samples.sealed(produced), BatchRules.DEFAULT);
    assertThat(valid.maxTimestamp()).isEqualTo(NOW + 70);
    assertThat(valid.batch().maxTimestamp()).isEqualTo(NOW + 70);
    assertThat(valid.batch().crc()).isEqualTo(valid.batch().computeCrc());
  }

  @Test
  void a_client_may_not_claim_append_time() {
    ByteBuffer produced =
        Samples.copy(writer.begin().logAppendTime(NOW).append(NOW, null, null).finish());
    refused(produced, BatchRules.DEFAULT, Reason.INVALID_TIMESTAMP);
  }

  @Test
  void control_batches_come_from_the_broker_only() {
    ByteBuffer marker =
        Samples.copy(
            writer
                .begin()
                .control()
                .transactional()
                .producer(9, (short) 1, RecordBatch.NO_SEQUENCE)
                .appendControl(NOW, ControlType.COMMIT, new EndTransaction(3).value())
                .finish());
    refused(marker, BatchRules.DEFAULT, Reason.INVALID_RECORD);
    ValidBatch valid =
        validator.validate(marker, Origin.BROKER, withPacking(Compression.ZSTD), NOW);
    assertThat(valid.batch().compression()).isEqualTo(Compression.NONE);
  }

  @Test
  void what_a_producer_says_of_itself_must_fit_together() {
    refused(
        Samples.copy(writer.begin().producer(5, (short) 0, -1).append(NOW, null, null).finish()),
        Reason.INVALID_RECORD,
        "base sequence is -1, expected 0 or more with producer id 5");
    refused(
        Samples.copy(writer.begin().transactional().append(NOW, null, null).finish()),
        Reason.INVALID_RECORD,
        "transactional but has no producer id");
    refused(
        Samples.copy(writer.begin().baseOffset(7).append(NOW, null, null).finish()),
        Reason.INVALID_RECORD,
        "base offset is 7, expected 0");
  }

  @Test
  void exactly_one_batch_is_wanted_and_the_cut_start_of_another_passed_over() {
    ByteBuffer batch = Samples.byUs(Samples.mixedRows(), Compression.NONE);
    int size = batch.limit();
    ByteBuffer two =
        ByteBuffer.allocate(2 * size).put(batch.duplicate()).put(batch.duplicate()).flip();
    refused(two.duplicate(), Reason.INVALID_RECORD, "more than one batch");
    assertThat(validate(two.duplicate().limit(2 * size - 1), BatchRules.DEFAULT).recordCount())
        .isEqualTo(6);
    refused(batch.duplicate().limit(size - 1), Reason.INVALID_RECORD, "no whole batch");
    refused(batch.duplicate().limit(0), Reason.INVALID_RECORD, "no whole batch");
  }

  @ParameterizedTest
  @CsvSource({"-1", "0", "13", "48"})
  void a_length_below_the_header_is_corrupt(int length) {
    ByteBuffer produced = Samples.byUs(Samples.mixedRows(), Compression.NONE);
    produced.putInt(RecordBatch.BATCH_LENGTH_AT, length);
    refused(produced, Reason.CORRUPT, "length of the batch at byte 0 is " + length);
  }

  @Test
  void an_unknown_compression_is_refused() {
    for (int code = 5; code < 8; code++) {
      ByteBuffer produced = Samples.byUs(Samples.mixedRows(), Compression.NONE);
      produced.putShort(RecordBatch.ATTRIBUTES_AT, (short) code);
      refused(Samples.sealed(produced), Reason.UNSUPPORTED_COMPRESSION, "compression code");
    }
  }

  @Test
  void a_batch_may_be_as_large_as_allowed_but_no_larger() {
    ByteBuffer produced = Samples.byUs(Samples.mixedRows(), Compression.NONE);
    SizeRule exact = new SizeRule(produced.limit(), UnpackLimits.DEFAULT);
    SizeRule less = new SizeRule(produced.limit() - 1, UnpackLimits.DEFAULT);
    assertThat(validate(produced, withSizes(exact)).recordCount()).isEqualTo(6);
    refused(produced, withSizes(less), Reason.TOO_LARGE);
  }

  private ValidBatch validate(ByteBuffer produced, BatchRules rules) {
    return validator.validate(produced, Origin.CLIENT, rules, NOW);
  }

  private InvalidBatchException refused(ByteBuffer produced, Reason reason, String message) {
    InvalidBatchException thrown = refused(produced, BatchRules.DEFAULT, reason);
    assertThat(thrown).hasMessageContaining(message);
    return thrown;
  }

  private InvalidBatchException refused(ByteBuffer produced, BatchRules rules, Reason reason) {
    InvalidBatchException thrown =
        catchThrowableOfType(InvalidBatchException.class, () -> validate(produced, rules));
    assertThat(thrown).isNotNull();
    assertThat(thrown.reason()).isEqualTo(reason);
    return thrown;
  }

  private static BatchRules withTimestamps(TimestampRule timestamps) {
    return new BatchRules(timestamps, SizeRule.DEFAULT, Optional.empty(), KeyRule.OPTIONAL);
  }

  private static BatchRules withSizes(SizeRule sizes) {
    return new BatchRules(TimestampRule.DEFAULT, sizes, Optional.empty(), KeyRule.OPTIONAL);
  }

  private static BatchRules withPacking(Compression compression) {
    return new BatchRules(
        TimestampRule.DEFAULT,
        SizeRule.DEFAULT,
        Optional.of(Packing.of(compression)),
        KeyRule.OPTIONAL);
  }

  private static List<Integer> indexes(InvalidBatchException thrown) {
    List<Integer> indexes = new ArrayList<>();
    thrown.recordErrors().forEach(error -> indexes.add(error.batchIndex()));
    return indexes;
  }
}
