package io.tidelog.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every byte of the records belongs to one field, and the fields say what the records do. */
class RecordFieldsTest {
  private final RecordBatch batch =
      RecordBatch.at(Samples.byKafka(Samples.mixedRows(), Compression.NONE), 0);

  /** The fields in their order, as asking for byte after byte finds them. */
  private List<RecordFields.Field> fields() {
    List<RecordFields.Field> fields = new ArrayList<>();
    for (int at = RecordBatch.HEADER_BYTES; at < batch.sizeBytes(); at++) {
      RecordFields.Field field = RecordFields.at(batch, at).orElseThrow();
      assertThat(at).isBetween(field.at(), field.at() + field.sizeBytes() - 1);
      if (fields.isEmpty() || !fields.get(fields.size() - 1).equals(field)) {
        fields.add(field);
      }
    }
    return fields;
  }

  @Test
  void the_fields_lie_side_by_side_and_leave_no_byte_out() {
    int next = RecordBatch.HEADER_BYTES;
    for (RecordFields.Field field : fields()) {
      assertThat(field.at()).isEqualTo(next);
      next += field.sizeBytes();
    }
    assertThat(next).isEqualTo(batch.sizeBytes());
    assertThat(RecordFields.at(batch, batch.sizeBytes())).isEmpty();
  }

  @Test
  void numbers_and_bytes_are_those_that_the_cursor_reads() {
    List<RecordFields.Field> fields = fields();
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      cursor.open(batch, UnpackLimits.DEFAULT);
      while (cursor.next()) {
        assertThat(number(fields, cursor.index(), "offsetDelta")).isEqualTo(cursor.offsetDelta());
        assertThat(batch.baseTimestamp() + number(fields, cursor.index(), "timestampDelta"))
            .isEqualTo(cursor.timestamp());
        assertThat(number(fields, cursor.index(), "keyLength")).isEqualTo(cursor.keySizeBytes());
        assertThat(number(fields, cursor.index(), "headerCount")).isEqualTo(cursor.headerCount());
        assertThat(bytes(fields, cursor.index(), "key")).isEqualTo(notEmpty(cursor.key()));
        assertThat(bytes(fields, cursor.index(), "value")).isEqualTo(notEmpty(cursor.value()));
      }
    }
    assertThat(bytes(fields, 2, "header 0 value")).isEqualTo(ascii("abc"));
    assertThat(bytes(fields, 2, "header 0 key")).isEqualTo(ascii("trace"));
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  /** Nothing has no byte, so nobody can ask for it. */
  private static ByteBuffer notEmpty(ByteBuffer bytes) {
    return bytes == null || !bytes.hasRemaining() ? null : bytes;
  }

  private static Optional<RecordFields.Field> find(
      List<RecordFields.Field> fields, int record, String name) {
    return fields.stream()
        .filter(field -> field.record() == record && field.name().equals(name))
        .findFirst();
  }

  private static long number(List<RecordFields.Field> fields, int record, String name) {
    return find(fields, record, name).orElseThrow().number();
  }

  private static ByteBuffer bytes(List<RecordFields.Field> fields, int record, String name) {
    return find(fields, record, name).map(RecordFields.Field::bytes).orElse(null);
  }
}
