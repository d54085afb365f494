package io.tidelog.record;

import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.PrimitiveRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.xerial.snappy.SnappyError;

/**
 * What Kafka's broker says to a produced batch.
 *
 * @param stored what it would store, with base offset 0 and no leader epoch; null if it refuses
 * @param maxTimestamp what it would index
 * @param refusal why it refuses; null if it does not
 */
record KafkaVerdict(ByteBuffer stored, long maxTimestamp, Throwable refusal) {
  private static final short PRODUCE_VERSION = 11;

  boolean isAccepted() {
    return refusal == null;
  }

  static KafkaVerdict on(ByteBuffer produced, BatchRules rules, long nowMs) {
    ByteBuffer copy = ByteBuffer.allocate(produced.remaining()).put(produced.duplicate()).flip();
    try {
      return validate(MemoryRecords.readableRecords(copy), rules, nowMs);
    } catch (RuntimeException | SnappyError | OutOfMemoryError e) {
      // Kafka takes the memory that a snappy chunk claims to need.
      return new KafkaVerdict(null, 0, e);
    }
  }

  /**
   * The steps of Kafka's produce path: request handler, log, validator. The first two are private
   * there.
   */
  private static KafkaVerdict validate(MemoryRecords records, BatchRules rules, long nowMs) {
    ProduceRequest.validateRecords(PRODUCE_VERSION, records);
    MutableRecordBatch batch = records.batches().iterator().next();
    if (batch.baseOffset() != 0) {
      throw new InvalidRecordException("base offset");
    }
    if (!batch.isValid()) {
      throw new CorruptRecordException("CRC");
    }
    LogValidator.ValidationResult result =
        validator(records, batch.compressionType(), rules, nowMs)
            .validateMessagesAndAssignOffsets(
                PrimitiveRef.ofLong(0), new NoMetrics(), BufferSupplier.NO_CACHING);
    ByteBuffer stored = ByteBuffer.allocate(result.validatedRecords().sizeInBytes());
    result.validatedRecords().batches().forEach(each -> each.writeTo(stored));
    return new KafkaVerdict(stored.flip(), result.maxTimestampMs(), null);
  }

  private static LogValidator validator(
      MemoryRecords records, CompressionType source, BatchRules rules, long nowMs) {
    return new LogValidator(
        records,
        new TopicPartition("topic", 0),
        new FixedTime(nowMs),
        source,
        rules
            .packing()
            .map(packing -> Samples.kafkaCompression(packing.compression()))
            .orElseGet(() -> org.apache.kafka.common.compress.Compression.of(source).build()),
        rules.keys() == BatchRules.KeyRule.REQUIRED,
        RecordBatch.MAGIC,
        rules.timestamps().type() == io.tidelog.record.TimestampType.CREATE_TIME
            ? TimestampType.CREATE_TIME
            : TimestampType.LOG_APPEND_TIME,
        rules.timestamps().beforeMaxMs(),
        rules.timestamps().afterMaxMs(),
        RecordBatch.NO_LEADER_EPOCH,
        AppendOrigin.CLIENT);
  }

  private record FixedTime(long nowMs) implements Time {
    @Override
    public long milliseconds() {
      return nowMs;
    }

    @Override
    public long nanoseconds() {
      return nowMs * 1_000_000;
    }

    @Override
    public void sleep(long ms) {
      throw new UnsupportedOperationException();
    }
  }

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
