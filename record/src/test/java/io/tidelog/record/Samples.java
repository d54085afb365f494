package io.tidelog.record;

import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/** Batches for tests, and records as plain values that can be compared whoever read them. */
final class Samples {
  static final long NOW = 1_700_000_000_000L;
  static final UnpackLimits LIMITS = UnpackLimits.DEFAULT;

  private Samples() {}

  /** A record as a value; bytes are text, null stays null. */
  record Row(long offset, long timestamp, String key, String value, List<String> headers) {}

  /**
   * Six records with every feature: null and empty keys and values, headers, timestamps that run
   * backwards.
   */
  static List<Row> mixedRows() {
    return List.of(
        new Row(0, NOW, "key-one", "value-one-1", List.of()),
        new Row(1, NOW - 5_000, null, "value without a key", List.of()),
        new Row(2, NOW + 70, "deleted", null, List.of("trace=abc", "trace=def", "=", "null")),
        new Row(3, NOW - 1, "", "", List.of()),
        new Row(4, -1, "no time", "x".repeat(3_000), List.of("ключ=значение")),
        new Row(5, NOW + 9, null, null, List.of()));
  }

  /** So many records of about 100 bytes, with real text in them. */
  static List<Row> manyRows(int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String value = "the quick brown fox number " + i * 7919L + " jumps over dog " + (i % 13);
      rows.add(new Row(i, NOW + i % 5, "key-" + i % 10, value, List.of()));
    }
    return rows;
  }

  /** Writes rows with Kafka's writer. */
  static ByteBuffer byKafka(List<Row> rows, Compression compression) {
    MemoryRecordsBuilder builder = kafkaBuilder(compression);
    for (Row row : rows) {
      builder.appendWithOffset(
          row.offset(),
          row.timestamp(),
          bytes(row.key()),
          bytes(row.value()),
          kafkaHeaders(row.headers()));
    }
    return builder.build().buffer();
  }

  static MemoryRecordsBuilder kafkaBuilder(Compression compression) {
    return new MemoryRecordsBuilder(
        new ByteBufferOutputStream(1024),
        RecordBatch.MAGIC,
        kafkaCompression(compression),
        TimestampType.CREATE_TIME,
        0,
        RecordBatch.NO_TIMESTAMP,
        RecordBatch.NO_PRODUCER_ID,
        RecordBatch.NO_PRODUCER_EPOCH,
        RecordBatch.NO_SEQUENCE,
        false,
        false,
        RecordBatch.NO_LEADER_EPOCH,
        Integer.MAX_VALUE);
  }

  static org.apache.kafka.common.compress.Compression kafkaCompression(Compression compression) {
    return switch (compression) {
      case NONE -> org.apache.kafka.common.compress.Compression.NONE;
      case GZIP -> org.apache.kafka.common.compress.Compression.gzip().build();
      case SNAPPY -> org.apache.kafka.common.compress.Compression.snappy().build();
      case LZ4 -> org.apache.kafka.common.compress.Compression.lz4().build();
      case ZSTD -> org.apache.kafka.common.compress.Compression.zstd().build();
    };
  }

  /** Writes rows with our writer, to a buffer of their own. */
  static ByteBuffer byUs(List<Row> rows, Compression compression) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatchWriter writer = new RecordBatchWriter(codecs);
      return copy(append(writer.begin().packing(Packing.of(compression)), rows).finish());
    }
  }

  static RecordBatchWriter append(RecordBatchWriter writer, List<Row> rows) {
    for (Row row : rows) {
      List<RecordHeader> headers = row.headers().stream().map(Samples::ourHeader).toList();
      writer.appendAt(row.offset(), row.timestamp(), bytes(row.key()), bytes(row.value()), headers);
    }
    return writer;
  }

  /** Reads rows with Kafka's reader. */
  static List<Row> readByKafka(ByteBuffer batch) {
    List<Row> rows = new ArrayList<>();
    for (Record record : MemoryRecords.readableRecords(batch.duplicate()).records()) {
      List<String> headers = new ArrayList<>();
      for (Header header : record.headers()) {
        headers.add(headerText(header.key(), wrap(header.value())));
      }
      rows.add(
          new Row(
              record.offset(),
              record.timestamp(),
              text(record.key()),
              text(record.value()),
              headers));
    }
    return rows;
  }

  /** Reads rows with our reader. */
  static List<Row> readByUs(ByteBuffer batch) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      cursor.open(RecordBatch.at(batch, batch.position()), LIMITS);
      return rest(cursor);
    }
  }

  static List<Row> rest(RecordCursor cursor) {
    List<Row> rows = new ArrayList<>();
    while (cursor.next()) {
      List<String> headers = new ArrayList<>();
      HeaderCursor header = cursor.headers();
      while (header.next()) {
        headers.add(headerText(header.keyText(), header.value()));
      }
      rows.add(
          new Row(
              cursor.offset(),
              cursor.timestamp(),
              text(cursor.key()),
              text(cursor.value()),
              headers));
    }
    return rows;
  }

  /** The bytes of a batch in a heap buffer of their own. */
  static ByteBuffer copy(RecordBatch batch) {
    ByteBuffer copy = ByteBuffer.allocate(batch.sizeBytes());
    return copy.put(batch.buffer().slice(batch.position(), batch.sizeBytes())).flip();
  }

  static ByteBuffer direct(ByteBuffer source) {
    return ByteBuffer.allocateDirect(source.remaining()).put(source.duplicate()).flip();
  }

  /** Makes length and CRC of a changed batch right again. */
  static ByteBuffer sealed(ByteBuffer batch) {
    batch.putInt(RecordBatch.BATCH_LENGTH_AT, batch.limit() - RecordBatch.LOG_OVERHEAD_BYTES);
    batch.putInt(RecordBatch.CRC_AT, (int) RecordBatch.at(batch, 0).computeCrc());
    return batch;
  }

  static ByteBuffer bytes(String text) {
    return text == null ? null : ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(ByteBuffer bytes) {
    return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return bytes == null ? null : ByteBuffer.wrap(bytes);
  }

  private static String headerText(String key, ByteBuffer value) {
    return value == null ? key : key + "=" + text(value);
  }

  private static RecordHeader ourHeader(String text) {
    int equals = text.indexOf('=');
    return equals < 0
        ? RecordHeader.of(text, null)
        : RecordHeader.of(
            text.substring(0, equals), text.substring(equals + 1).getBytes(StandardCharsets.UTF_8));
  }

  private static Header[] kafkaHeaders(List<String> texts) {
    RecordHeaders headers = new RecordHeaders();
    for (String text : texts) {
      RecordHeader header = ourHeader(text);
      headers.add(text(header.key()), header.value() == null ? null : header.value().array());
    }
    return headers.toArray();
  }
}
