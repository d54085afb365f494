package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GoldenBytesTest {
  private static final String KEY = "7 bytes";
  private static final String VALUE = "eleven byte";

  private final KafkaCodecs codecs = KafkaCodecs.create();
  private final RecordBatchWriter writer = new RecordBatchWriter(codecs);

  @AfterEach
  void freeCodecs() {
    codecs.close();
  }

  @Test
  void one_record_costs_61_bytes_and_7_beside_its_own() {
    RecordBatch batch = writer.begin().append(0, bytes(KEY), bytes(VALUE)).finish();
    assertThat(batch.sizeBytes()).isEqualTo(61 + 7 + 18);
  }

  @Test
  void ten_records_cost_61_bytes_and_7_each_beside_their_own() {
    writer.begin();
    for (int i = 0; i < 10; i++) {
      writer.append(i, bytes(KEY), bytes(VALUE));
    }
    assertThat(writer.finish().sizeBytes()).isEqualTo(61 + 10 * (7 + 18));
  }

  @Test
  void a_null_key_is_the_byte_01() {
    assertThat(body(writer.begin().append(0, null, bytes("v")).finish()))
        .isEqualTo("0e" + "00" + "00" + "00" + "01" + "02" + "76" + "00");
  }

  @Test
  void a_tombstone_has_the_length_byte_01_and_no_value() {
    assertThat(body(writer.begin().append(0, bytes("k"), null).finish()))
        .isEqualTo("0e" + "00" + "00" + "00" + "02" + "6b" + "01" + "00");
  }

  @Test
  void headers_follow_the_value() {
    List<RecordHeader> headers =
        List.of(RecordHeader.of("h", new byte[] {5}), RecordHeader.of("", null));
    String record = "18" + "00" + "00" + "00" + "01" + "01" + "04";
    assertThat(body(writer.begin().append(0, null, null, headers).finish()))
        .isEqualTo(record + "02" + "68" + "02" + "05" + "00" + "01");
  }

  @Test
  void deltas_count_from_the_batch_and_may_be_negative() {
    RecordBatch batch =
        writer
            .begin()
            .baseOffset(100)
            .append(1_000, null, null)
            .appendAt(164, 999, null, null, List.of())
            .finish();
    assertThat(body(batch))
        .isEqualTo("0c" + "00" + "00" + "00" + "010100" + "0e" + "00" + "01" + "8001" + "010100");
  }

  @Test
  void every_header_field_has_its_bytes() {
    RecordBatch batch =
        writer
            .begin()
            .baseOffset(0x0102030405060708L)
            .leaderEpoch(0x11121314)
            .producer(0x2122232425262728L, (short) 0x3132, 0x41424344)
            .transactional()
            .append(0x5152535455565758L, bytes(KEY), bytes(VALUE))
            .append(0x5152535455565759L, null, null)
            .finishAt(0x0102030405060708L + 9);
    assertThat(hex(batch, 0, RecordBatch.HEADER_BYTES))
        .isEqualTo(
            "0102030405060708" // base offset
                + "00000051" // length
                + "11121314" // leader epoch
                + "02" // magic
                + HexFormat.of().toHexDigits((int) batch.computeCrc())
                + "0010" // attributes
                + "00000009" // last offset delta
                + "5152535455565758" // base timestamp
                + "5152535455565759" // max timestamp
                + "2122232425262728" // producer id
                + "3132" // producer epoch
                + "41424344" // base sequence
                + "00000002"); // record count
  }

  @Test
  void a_whole_batch_has_these_bytes() {
    RecordBatch batch = writer.begin().append(0x18bcfe56800L, bytes(KEY), bytes(VALUE)).finish();
    assertThat(hex(batch, 0, batch.sizeBytes()))
        .isEqualTo(
            "00000000000000000000004affffffff02"
                + "dcee268c"
                + "0000000000000000018bcfe568000000018bcfe56800ffffffffffffffffffff"
                + "ffffffff00000001"
                + "300000000e37206279746573"
                + "16656c6576656e206279746500");
  }

  @Test
  void attribute_bits_are_set_one_by_one() {
    List<Integer> attributes = new ArrayList<>();
    for (Compression compression : Compression.values()) {
      attributes.add(attributes(writer.begin().packing(Packing.of(compression))));
    }
    attributes.add(attributes(writer.begin().logAppendTime(5)));
    attributes.add(attributes(writer.begin().transactional()));
    attributes.add(attributes(writer.begin().control()));
    attributes.add(attributes(writer.begin().deleteHorizon(5)));
    assertThat(attributes).containsExactly(0, 1, 2, 3, 4, 0x08, 0x10, 0x20, 0x40);
  }

  private static int attributes(RecordBatchWriter started) {
    return started.append(0, null, null).finish().attributes();
  }

  private static String body(RecordBatch batch) {
    return hex(batch, RecordBatch.HEADER_BYTES, batch.sizeBytes());
  }

  private static String hex(RecordBatch batch, int from, int to) {
    return HexFormat.of().formatHex(Samples.copy(batch).array(), from, to);
  }

  private static ByteBuffer bytes(String text) {
    return Samples.bytes(text);
  }
}
