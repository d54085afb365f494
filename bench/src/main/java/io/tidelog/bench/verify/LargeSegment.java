package io.tidelog.bench.verify;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.Compression;
import io.tidelog.record.Packing;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;

/** A data directory with one partition of one segment, cleanly stopped. */
final class LargeSegment {
  private static final int SEGMENT_BYTES = 1 << 30;
  private static final int VALUE_BYTES = 1024;
  private static final long FIRST_MS = 1_700_000_000_000L;
  private static final TopicPartition PARTITION = new TopicPartition("large", 0);

  private LargeSegment() {}

  /**
   * What the segment is made of: the more batches it has, the more there is to do for its bytes.
   *
   * @param compression of the batches
   * @param records of 1 KiB in each batch
   */
  record Batches(Compression compression, int records) {}

  /** Writes it, as full as whole batches make it. @return its log */
  static Path write(Path data, Batches batches) throws IOException {
    LogSettings settings = LogSettings.of(Map.of("segment.bytes", String.valueOf(SEGMENT_BYTES)));
    try (LogStore store = LogStore.open(data, StoreSettings.DEFAULTS);
        KafkaCodecs codecs = KafkaCodecs.create()) {
      PartitionLog log = store.create(PARTITION, new TopicId(1, 2), settings);
      RecordBatchWriter writer = new RecordBatchWriter(codecs);
      SplittableRandom random = new SplittableRandom(1);
      while (true) {
        RecordBatch batch = batch(writer, batches, random, log.view().end());
        if (log.sizeBytes() + batch.sizeBytes() > SEGMENT_BYTES) {
          break;
        }
        log.append(
            batch.buffer().slice(batch.position(), batch.sizeBytes()), 0, AppendSource.CLIENT);
      }
    }
    return data.resolve(PARTITION + "/00000000000000000000.log");
  }

  private static RecordBatch batch(
      RecordBatchWriter writer, Batches batches, SplittableRandom random, long offset) {
    writer.begin().packing(Packing.of(batches.compression()));
    for (int i = 0; i < batches.records(); i++) {
      writer.append(FIRST_MS + offset + i, null, value(random));
    }
    return writer.finish();
  }

  /** Letters, which a codec packs to about two thirds. */
  private static ByteBuffer value(SplittableRandom random) {
    StringBuilder text = new StringBuilder(VALUE_BYTES + Long.SIZE);
    while (text.length() < VALUE_BYTES) {
      text.append(Long.toString(random.nextLong(), Character.MAX_RADIX)).append(" a word ");
    }
    return ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII), 0, VALUE_BYTES);
  }
}
