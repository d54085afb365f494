package io.tidelog.cli.dump;

import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Writes a {@code .log} batch by batch, so that a test knows what is in it. */
final class LogFile {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Adds a batch. */
  LogFile batch(Function<RecordBatchWriter, RecordBatch> contents) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatch batch = contents.apply(new RecordBatchWriter(codecs).begin());
      byte[] copy = new byte[batch.sizeBytes()];
      batch.buffer().get(batch.position(), copy);
      bytes.writeBytes(copy);
    }
    return this;
  }

  /** Where the next batch will start. */
  int position() {
    return bytes.size();
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  Path writeTo(Path file) throws IOException {
    return Files.write(file, bytes());
  }

  static ByteBuffer utf8(String text) {
    return StandardCharsets.UTF_8.encode(text);
  }
}
