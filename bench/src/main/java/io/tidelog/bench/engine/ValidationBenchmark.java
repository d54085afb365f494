package io.tidelog.bench.engine;

import io.tidelog.record.BatchRules;
import io.tidelog.record.BatchValidator;
import io.tidelog.record.Origin;
import io.tidelog.record.compress.KafkaCodecs;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.PrimitiveRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does it take to validate a produced batch of 64 records of 1 KiB, plain and packed: CRC,
 * every record, every rule? Estimate: what unpacking costs, and 10 us.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ValidationBenchmark {
  private static final int RECORDS = 64;
  private static final long HOUR_MS = 3_600_000;
  private static final TopicPartition PARTITION = new TopicPartition("bench", 0);
  private static final LogValidator.MetricsRecorder NO_METRICS = new NoMetrics();

  @Param({"none", "gzip", "snappy", "lz4", "zstd"})
  private String codec;

  private ByteBuffer batch;
  private KafkaCodecs codecs;
  private BatchValidator validator;
  private CompressionType type;
  private Compression compression;
  private BufferSupplier buffers;

  /** Makes the batch and both validators. */
  @Setup
  public void make() {
    batch = Batches.packed(RECORDS, codec);
    codecs = KafkaCodecs.create();
    validator = new BatchValidator(codecs);
    type = CompressionType.forName(codec);
    compression = Compression.of(type).build();
    buffers = BufferSupplier.create();
  }

  /** Gives native memory back. */
  @TearDown
  public void close() {
    codecs.close();
    buffers.close();
  }

  /** Tidelog. */
  @Benchmark
  public long tidelog() {
    return validator
        .validate(
            Batches.again(batch), Origin.CLIENT, BatchRules.DEFAULT, System.currentTimeMillis())
        .maxTimestamp();
  }

  /** Kafka: the CRC, which its log checks, and its validator. */
  @Benchmark
  public long kafka() {
    MemoryRecords records = MemoryRecords.readableRecords(Batches.again(batch));
    for (MutableRecordBatch each : records.batches()) {
      each.ensureValid();
    }
    return new LogValidator(
            records,
            PARTITION,
            Time.SYSTEM,
            type,
            compression,
            false,
            RecordBatch.CURRENT_MAGIC_VALUE,
            TimestampType.CREATE_TIME,
            Long.MAX_VALUE,
            HOUR_MS,
            RecordBatch.NO_PARTITION_LEADER_EPOCH,
            AppendOrigin.CLIENT)
        .validateMessagesAndAssignOffsets(PrimitiveRef.ofLong(0), NO_METRICS, buffers)
        .maxTimestampMs();
  }

  /** Counts nothing. */
  private record NoMetrics() implements LogValidator.MetricsRecorder {
    @Override
    public void recordInvalidMagic() {}

    @Override
    public void recordInvalidOffset() {}

    @Override
    public void recordInvalidSequence() {}

    @Override
    public void recordInvalidChecksums() {}

    @Override
    public void recordNoKeyCompactedTopic() {}
  }
}
