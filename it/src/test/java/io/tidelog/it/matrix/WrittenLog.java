package io.tidelog.it.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;

/** The first segment of a topic's first partition, as Kafka's own code reads it from the disk. */
final class WrittenLog {
  private final List<String> codecs = new ArrayList<>();
  private final List<ScriptRecord> records = new ArrayList<>();

  private WrittenLog() {}

  static WrittenLog of(Path data, String topic) throws IOException {
    WrittenLog log = new WrittenLog();
    Path file = data.resolve(topic + "-0").resolve("00000000000000000000.log");
    try (FileRecords batches = FileRecords.open(file.toFile())) {
      for (FileChannelRecordBatch batch : batches.batches()) {
        if (!batch.isControlBatch()) {
          int before = log.records.size();
          batch.forEach(record -> log.records.add(scriptRecord(record)));
          if (log.records.size() > before + 1) {
            log.codecs.add(batch.compressionType().name);
          }
        }
      }
    }
    return log;
  }

  private static ScriptRecord scriptRecord(Record record) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    return new ScriptRecord(record.timestamp(), text(record.key()), text(record.value()), headers);
  }

  private static String text(ByteBuffer bytes) {
    return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes).toString();
  }

  List<ScriptRecord> records() {
    return records;
  }

  /**
   * Of the batches with several records: some clients send a batch as it is when compression would
   * not make it smaller.
   */
  void assertCompressedWith(String codec) {
    assertThat(codecs)
        .as("codecs of the batches with several records")
        .isNotEmpty()
        .containsOnly(codec);
  }
}
