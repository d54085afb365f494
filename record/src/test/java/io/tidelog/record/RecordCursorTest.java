package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidelog.record.InvalidBatchException.Reason;
import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RecordCursorTest {
  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final RecordCursor cursor = new RecordCursor(codecs);
  private final RecordBatchWriter writer = new RecordBatchWriter(codecs);

  @AfterEach
  void freeCodecs() {
    codecs.close();
  }

  // Case H03 among others. A record is given after its length, in hex; the length is made right.
  @ParameterizedTest
  @CsvSource({
    "000000 01 01 35,            header count is -27",
    "000000 01 01 04 00,         header count is 2",
    "000000 01 01 feffffff0f 00, header count is 2147483647",
    "000000 01 01 02 01 00,      'header key length is -1, expected 0 or more'",
    "000000 01 01 02 feffffff0f, header key length is 2147483647",
    "000000 01 01 02 00 03,      'header value length is -2, expected -1 or more'",
    "000000 01 01 02 00 04 00,   header value length is 2",
    "000000 03 01 00 00,         'key length is -2, expected -1 or more'",
    "000000 20 01 00 00,         key length is 16",
    "000000 01 05 00 00,         'value length is -3, expected -1 or more'",
    "000000 01 feffffff0f 00,    value length is 2147483647",
    "000000 01 01 00 00,         length is 1 more than its fields take",
    "00ffff ff ff ff ff ff ff ff ff ff 01 00 01 01 00, varlong has more than 10 bytes",
    "0000ff ff ff ff ff 01 01 01 00, varint has more than 5 bytes",
    "000000 01 01 80,            data ends within a varint"
  })
  void a_malformed_record_is_named_with_its_fault(String record, String fault) {
    byte[] body = HexFormat.of().parseHex(record.replace(" ", ""));
    ByteBuffer batch =
        batchOf(new byte[][] {HexFormat.of().parseHex("0c000000010100"), framed(body)});
    cursor.open(RecordBatch.at(batch, 0), Samples.LIMITS);
    assertThat(cursor.next()).isTrue();
    InvalidBatchException thrown = catchThrowableOfType(InvalidBatchException.class, cursor::next);
    assertThat(thrown.reason()).isEqualTo(Reason.INVALID_RECORD);
    assertThat(thrown).hasMessageStartingWith("record 1 of the batch at byte 0: ");
    assertThat(thrown).hasMessageContaining(fault);
    assertThat(thrown.recordErrors()).extracting(RecordError::batchIndex).containsExactly(1);
  }

  @ParameterizedTest
  @CsvSource({
    "0e000000010100, 'length is 7, but 6 bytes are left'",
    "feffffff0f000000010100, 'length is 2147483647, but 6 bytes are left'",
    "0a0000000101, 'length is 5, expected 6 or more'",
    "01000000010100, 'length is -1, expected 6 or more'",
    "ffffffffff01, varint has more than 5 bytes",
    "0c00000001010000, data are left after the last of 1 records"
  })
  void a_record_length_that_does_not_fit_is_named(String records, String fault) {
    ByteBuffer batch = batchOf(new byte[][] {HexFormat.of().parseHex(records)});
    cursor.open(RecordBatch.at(batch, 0), Samples.LIMITS);
    InvalidBatchException thrown =
        catchThrowableOfType(InvalidBatchException.class, () -> Samples.rest(cursor));
    assertThat(thrown.reason()).isEqualTo(Reason.INVALID_RECORD);
    assertThat(thrown).hasMessageContaining(fault);
  }

  @Test
  void a_negative_record_count_is_refused_and_none_means_no_record() {
    ByteBuffer batch = Samples.byUs(Samples.manyRows(1), Compression.GZIP);
    batch.putInt(RecordBatch.RECORD_COUNT_AT, -1);
    assertThat(
            catchThrowableOfType(
                InvalidBatchException.class,
                () -> cursor.open(RecordBatch.at(batch, 0), Samples.LIMITS)))
        .hasMessage("record count is -1, expected 0 or more");
    batch.putInt(RecordBatch.RECORD_COUNT_AT, 0);
    cursor.open(RecordBatch.at(batch, 0), Samples.LIMITS);
    assertThat(cursor.next()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void headers_come_in_order_with_duplicates_empty_keys_and_null_values(Compression compression) {
    List<String> headers = new ArrayList<>(List.of("a=1", "", "a=2", "=", "b"));
    for (int i = 0; i < 10_000; i++) {
      headers.add("h" + i + "=v");
    }
    List<Samples.Row> rows = List.of(new Samples.Row(0, 5, "k", "v", headers));
    assertThat(Samples.readByUs(Samples.byKafka(rows, compression))).isEqualTo(rows);
    assertThat(Samples.readByKafka(Samples.byUs(rows, compression))).isEqualTo(rows);
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void records_larger_than_the_window_are_read(Compression compression) {
    List<Samples.Row> rows =
        List.of(
            new Samples.Row(0, 5, "k", "small", List.of()),
            new Samples.Row(1, 5, "k", "large ".repeat(100_000), List.of()),
            new Samples.Row(2, 5, "k".repeat(300_000), null, List.of("h=" + "v".repeat(70_000))));
    assertThat(Samples.readByUs(Samples.byKafka(rows, compression))).isEqualTo(rows);
  }

  @Test
  void one_cursor_reads_batch_after_batch_also_after_a_broken_one() {
    ByteBuffer broken = Samples.byUs(Samples.manyRows(50), Compression.ZSTD);
    broken.put(RecordBatch.HEADER_BYTES + 1, (byte) 0);
    for (int i = 0; i < 3; i++) {
      for (Compression compression : Compression.values()) {
        ByteBuffer batch = Samples.byKafka(Samples.mixedRows(), compression);
        cursor.open(RecordBatch.at(batch, 0), Samples.LIMITS);
        assertThat(Samples.rest(cursor)).isEqualTo(Samples.mixedRows());
        assertThat(
                catchThrowableOfType(
                    InvalidBatchException.class,
                    () -> {
                      cursor.open(RecordBatch.at(broken, 0), Samples.LIMITS);
                      Samples.rest(cursor);
                    }))
            .isNotNull();
      }
    }
  }

  @Test
  void gaps_from_compaction_are_kept() {
    ByteBuffer batch =
        Samples.copy(
            writer
                .begin()
                .baseOffset(1_000)
                .appendAt(1_003, 7, Samples.bytes("k"), null, List.of())
                .appendAt(1_900, 8, Samples.bytes("k"), null, List.of())
                .finishAt(2_000));
    assertThat(RecordBatch.at(batch, 0).lastOffset()).isEqualTo(2_000);
    assertThat(RecordBatch.at(batch, 0).recordCount()).isEqualTo(2);
    assertThat(Samples.readByUs(batch))
        .isEqualTo(Samples.readByKafka(batch))
        .extracting(Samples.Row::offset)
        .containsExactly(1_003L, 1_900L);
  }

  @Test
  void append_time_is_the_time_of_every_record() {
    ByteBuffer batch =
        Samples.copy(writer.begin().logAppendTime(99).append(7, null, null).finish());
    assertThat(Samples.readByUs(batch))
        .isEqualTo(Samples.readByKafka(batch))
        .extracting(Samples.Row::timestamp)
        .containsExactly(99L);
  }

  @Test
  void sizes_count_the_whole_record() {
    ByteBuffer batch = Samples.byUs(Samples.mixedRows(), Compression.NONE);
    cursor.open(RecordBatch.at(batch, 0), Samples.LIMITS);
    int size = RecordBatch.HEADER_BYTES;
    while (cursor.next()) {
      size += cursor.sizeBytes();
    }
    assertThat(size).isEqualTo(batch.limit());
  }

  private static ByteBuffer batchOf(byte[][] records) {
    ByteBuffer batch = ByteBuffer.allocate(256).position(RecordBatch.HEADER_BYTES);
    for (byte[] record : records) {
      batch.put(record);
    }
    batch.flip().put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
    batch.putInt(RecordBatch.RECORD_COUNT_AT, records.length);
    return Samples.sealed(batch);
  }

  private static byte[] framed(byte[] body) {
    ByteBuffer framed = ByteBuffer.allocate(5 + body.length);
    Varint.writeInt(framed, body.length);
    byte[] result = new byte[framed.position() + body.length];
    framed.put(body).flip().get(result);
    return result;
  }
}
