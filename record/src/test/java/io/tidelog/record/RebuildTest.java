package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.BatchRules.KeyRule;
import io.tidelog.record.BatchRules.SizeRule;
import io.tidelog.record.BatchRules.TimestampRule;
import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A topic with a compression of its own. */
class RebuildTest {
  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final BatchValidator validator = new BatchValidator(codecs);

  @AfterEach
  void freeCodecs() {
    codecs.close();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void a_batch_gets_the_topics_compression_and_keeps_all_else(Compression wanted) {
    for (Compression sent : Compression.values()) {
      ByteBuffer produced = produced(sent);
      ByteBuffer before = ByteBuffer.allocate(produced.limit()).put(produced.duplicate()).flip();
      ValidBatch valid = validate(produced, rules(wanted, SizeRule.DEFAULT));
      RecordBatch batch = valid.batch();
      assertThat(batch.compression()).isEqualTo(wanted);
      assertThat(batch.crc()).isEqualTo(batch.computeCrc());
      assertThat(batch.producerId()).isEqualTo(77);
      assertThat(batch.producerEpoch()).isEqualTo((short) 3);
      assertThat(batch.baseSequence()).isEqualTo(12);
      assertThat(batch.isTransactional()).isTrue();
      assertThat(batch.lastOffsetDelta()).isEqualTo(5);
      assertThat(batch.maxTimestamp()).isEqualTo(Samples.NOW + 70).isEqualTo(valid.maxTimestamp());
      assertThat(Samples.readByKafka(Samples.copy(batch))).isEqualTo(Samples.mixedRows());
      assertThat(batch.buffer().isDirect()).as("rebuilt").isEqualTo(sent != wanted);
      assertThat(produced).isEqualTo(before);
    }
  }

  @Test
  void append_time_is_stamped_on_a_rebuilt_batch() {
    TimestampRule appendTime = new TimestampRule(TimestampType.LOG_APPEND_TIME, 0, 0);
    BatchRules rules =
        new BatchRules(
            appendTime,
            SizeRule.DEFAULT,
            Optional.of(Packing.of(Compression.LZ4)),
            KeyRule.OPTIONAL);
    RecordBatch batch = validate(produced(Compression.GZIP), rules).batch();
    assertThat(batch.crc()).isEqualTo(batch.computeCrc());
    assertThat(Samples.readByKafka(Samples.copy(batch)))
        .extracting(Samples.Row::timestamp)
        .containsOnly(Samples.NOW);
  }

  @Test
  void a_batch_that_is_too_large_once_rebuilt_is_refused() {
    ByteBuffer produced = Samples.byUs(Samples.manyRows(1_000), Compression.ZSTD);
    SizeRule sizes = new SizeRule(produced.limit() + 100, UnpackLimits.DEFAULT);
    assertThatThrownBy(() -> validate(produced, rules(Compression.NONE, sizes)))
        .hasMessageContaining("expected at most " + (produced.limit() + 100));
  }

  @Test
  void a_level_changes_the_size_but_not_the_records() {
    List<Samples.Row> rows = Samples.manyRows(3_000);
    assertThat(sizeAt(rows, new Packing(Compression.GZIP, 9)))
        .isLessThan(sizeAt(rows, new Packing(Compression.GZIP, 1)));
    assertThat(sizeAt(rows, new Packing(Compression.LZ4, 17)))
        .isLessThan(sizeAt(rows, new Packing(Compression.LZ4, 9)));
    assertThat(sizeAt(rows, new Packing(Compression.ZSTD, 19)))
        .isLessThan(sizeAt(rows, new Packing(Compression.ZSTD, -5)));
  }

  private int sizeAt(List<Samples.Row> rows, Packing packing) {
    RecordBatchWriter writer = new RecordBatchWriter(codecs);
    ByteBuffer batch = Samples.copy(Samples.append(writer.begin().packing(packing), rows).finish());
    assertThat(Samples.readByKafka(batch)).isEqualTo(rows);
    return batch.limit();
  }

  private ByteBuffer produced(Compression compression) {
    RecordBatchWriter writer = new RecordBatchWriter(codecs);
    writer.begin().packing(Packing.of(compression)).producer(77, (short) 3, 12).transactional();
    return Samples.copy(Samples.append(writer, Samples.mixedRows()).finish());
  }

  private ValidBatch validate(ByteBuffer produced, BatchRules rules) {
    return validator.validate(produced, Origin.CLIENT, rules, Samples.NOW);
  }

  private static BatchRules rules(Compression compression, SizeRule sizes) {
    return new BatchRules(
        TimestampRule.DEFAULT, sizes, Optional.of(Packing.of(compression)), KeyRule.OPTIONAL);
  }
}
