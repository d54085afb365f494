package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KafkaAgreementTest {

  @ParameterizedTest
  @EnumSource(Compression.class)
  void kafka_reads_what_we_write(Compression compression) {
    ByteBuffer batch = Samples.byUs(Samples.mixedRows(), compression);
    MutableRecordBatch theirs =
        MemoryRecords.readableRecords(batch.duplicate()).batches().iterator().next();
    theirs.ensureValid();
    assertThat(theirs.compressionType().name)
        .isEqualTo(compression.name().toLowerCase(Locale.ROOT));
    assertThat(theirs.maxTimestamp()).isEqualTo(Samples.NOW + 70);
    assertThat(Samples.readByKafka(batch)).isEqualTo(Samples.mixedRows());
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void we_read_what_kafka_writes(Compression compression) {
    ByteBuffer batch = Samples.byKafka(Samples.mixedRows(), compression);
    assertThat(RecordBatch.at(batch, 0).computeCrc()).isEqualTo(RecordBatch.at(batch, 0).crc());
    assertThat(Samples.readByUs(batch)).isEqualTo(Samples.mixedRows());
    assertThat(Samples.readByUs(Samples.direct(batch))).isEqualTo(Samples.mixedRows());
    assertThat(Samples.readByUs(batch.asReadOnlyBuffer())).isEqualTo(Samples.mixedRows());
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void both_read_a_batch_of_many_blocks(Compression compression) {
    List<Samples.Row> rows = Samples.manyRows(20_000);
    assertThat(Samples.readByUs(Samples.byKafka(rows, compression))).isEqualTo(rows);
    assertThat(Samples.readByKafka(Samples.byUs(rows, compression))).isEqualTo(rows);
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"NONE", "SNAPPY"})
  void codecs_without_a_choice_give_kafkas_bytes(Compression compression) {
    List<Samples.Row> rows = Samples.manyRows(3_000);
    assertThat(Samples.byUs(rows, compression)).isEqualTo(Samples.byKafka(rows, compression));
  }
}
