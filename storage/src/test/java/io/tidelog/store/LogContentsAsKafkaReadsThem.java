package io.tidelog.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.FileLogInputStream.FileChannelRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.Utils;

/** All that a partition's folder says, as Kafka's own code reads it. */
final class LogContentsAsKafkaReadsThem {
  private LogContentsAsKafkaReadsThem() {}

  /** By file name: batches with all header fields and their records, and other files' bytes. */
  static Map<String, List<String>> of(Path folder) throws IOException {
    Map<String, List<String>> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".log")) {
          contents.put(name, batches(file));
          contents.put(
              name + " modified", List.of("" + Files.getLastModifiedTime(file).toMillis()));
        } else if (name.endsWith(".txnindex") && Files.size(file) > 0) {
          contents.put(name, List.of(Arrays.toString(Files.readAllBytes(file))));
        } else if (name.endsWith(".snapshot")) {
          contents.put(name, List.of());
        }
      }
    }
    return contents;
  }

  private static List<String> batches(Path file) throws IOException {
    List<String> lines = new java.util.ArrayList<>();
    try (FileRecords records = FileRecords.open(file.toFile())) {
      for (FileChannelRecordBatch batch : records.batches()) {
        batch.ensureValid();
        lines.add(
            "%d-%d epoch %d, %s %s%s%s horizon %s, max %d, producer %d/%d/%d, %s records%s"
                .formatted(
                    batch.baseOffset(),
                    batch.lastOffset(),
                    batch.partitionLeaderEpoch(),
                    batch.compressionType(),
                    batch.timestampType(),
                    batch.isTransactional() ? " transactional" : "",
                    batch.isControlBatch() ? " control" : "",
                    batch.deleteHorizonMs(),
                    batch.maxTimestamp(),
                    batch.producerId(),
                    batch.producerEpoch(),
                    batch.baseSequence(),
                    batch.countOrNull(),
                    batch.compressionType() == CompressionType.NONE
                        ? ", crc " + batch.checksum() + ", bytes " + batch.sizeInBytes()
                        : ""));
        for (Record record : batch) {
          lines.add(
              "  %d at %d: %s = %s %s"
                  .formatted(
                      record.offset(),
                      record.timestamp(),
                      text(record.key()),
                      text(record.value()),
                      Arrays.toString(record.headers())));
        }
      }
    }
    return lines;
  }

  private static String text(ByteBuffer bytes) {
    return bytes == null ? null : Arrays.toString(Utils.toArray(bytes));
  }
}
