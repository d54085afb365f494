package io.tidelog.record;

import io.tidelog.record.BatchRules.KeyRule;
import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a batch that is to be appended, whole: header, CRC, every record, and the rules of its
 * topic. What passes is sound for every reader. Where a topic trusts headers, the records are read
 * only if a rule is about them; what passes then is what its producer sent, no more.
 *
 * <p>Two things are put right instead of refused. A wrong {@code maxTimestamp} is corrected, or set
 * to the clock on a topic with append time. And a batch is rebuilt, with its records and producer
 * fields as they are, if the topic wants another compression. Neither base offset nor leader epoch
 * is touched: those are known only when the batch is written.
 *
 * <p>Changes what it is given only where it stamps timestamps. Keeps buffers from one batch to the
 * next; the batch it answers may lie in them. Used by one thread.
 */
public final class BatchValidator {
  private static final int MAX_RECORD_ERRORS = 1_000;

  private final RecordCursor records;
  private final RecordBatchWriter rebuilt;

  private List<RecordError> errors;
  private boolean hasTimestampError;
  private long maxTimestamp;

  /**
   * A validator that packs and unpacks with these codecs, which it shares with nobody while it
   * works.
   */
  public BatchValidator(Codecs codecs) {
    this.records = new RecordCursor(codecs);
    this.rebuilt = new RecordBatchWriter(codecs);
  }

  /**
   * Checks what was produced for one partition: the bytes between position and limit, which must be
   * one batch. A second batch that is cut is passed over.
   *
   * @param nowMs the broker's clock
   * @throws InvalidBatchException if a rule is broken; of records that break rules of the topic it
   *     lists the first 1,000
   */
  public ValidBatch validate(ByteBuffer produced, Origin origin, BatchRules rules, long nowMs) {
    RecordBatch batch = ProducedBatch.only(produced);
    HeaderRules.checkBaseOffset(batch, origin);
    checkSize(batch, rules);
    checkCrc(batch);
    batch.compression();
    HeaderRules.check(batch, origin);
    boolean isToBeRebuilt = mustRebuild(batch, rules);
    if (rules.areMetByHeader() && !isToBeRebuilt) {
      checkHeaderTime(batch, rules, nowMs);
    } else {
      checkRecords(batch, rules, nowMs);
    }
    if (isToBeRebuilt) {
      batch = rebuild(batch, rules);
      checkSize(batch, rules);
    }
    return stamp(batch, rules, nowMs);
  }

  private static void checkSize(RecordBatch batch, BatchRules rules) {
    int most = rules.sizes().batchBytes();
    if (batch.sizeBytes() > most) {
      throw new InvalidBatchException(
          Reason.TOO_LARGE, "batch has " + batch.sizeBytes() + " bytes, expected at most " + most);
    }
  }

  private static void checkCrc(RecordBatch batch) {
    long computed = batch.computeCrc();
    if (computed != batch.crc()) {
      throw new InvalidBatchException(
          Reason.CORRUPT,
          String.format(
              "CRC of the batch at byte %d is %#010x, its contents give %#010x",
              batch.position(), batch.crc(), computed));
    }
  }

  private void checkRecords(RecordBatch batch, BatchRules rules, long nowMs) {
    errors = List.of();
    hasTimestampError = false;
    maxTimestamp = RecordBatch.NO_TIMESTAMP;
    records.open(batch, rules.sizes().unpacked());
    while (errors.size() < MAX_RECORD_ERRORS && records.next()) {
      checkRecord(rules, nowMs);
    }
    if (!errors.isEmpty()) {
      throw new InvalidBatchException(
          hasTimestampError ? Reason.INVALID_TIMESTAMP : Reason.INVALID_RECORD,
          "record " + errors.get(0).batchIndex() + ": " + errors.get(0).message(),
          errors);
    }
  }

  private void checkHeaderTime(RecordBatch batch, BatchRules rules, long nowMs) {
    maxTimestamp = Math.max(RecordBatch.NO_TIMESTAMP, batch.maxTimestamp());
    if (!rules.timestamps().allows(maxTimestamp, nowMs)) {
      throw new InvalidBatchException(
          Reason.INVALID_TIMESTAMP,
          "the largest " + describe(maxTimestamp, rules.timestamps(), nowMs));
    }
  }

  private void checkRecord(BatchRules rules, long nowMs) {
    int index = records.index();
    long timestamp = records.timestamp();
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    if (records.offsetDelta() != index) {
      report(index, "offset delta is " + records.offsetDelta() + ", expected " + index);
    } else if (rules.keys() == KeyRule.REQUIRED && !records.hasKey()) {
      report(index, "a record of a compacted topic needs a key");
    } else if (!rules.timestamps().allows(timestamp, nowMs)) {
      hasTimestampError = true;
      report(index, describe(timestamp, rules.timestamps(), nowMs));
    }
  }

  private void report(int index, String message) {
    if (errors.isEmpty()) {
      errors = new ArrayList<>();
    }
    errors.add(new RecordError(index, message));
  }

  private static String describe(long timestamp, BatchRules.TimestampRule rule, long nowMs) {
    return "timestamp is "
        + timestamp
        + ", expected at most "
        + rule.beforeMaxMs()
        + " ms before and "
        + rule.afterMaxMs()
        + " ms after "
        + nowMs;
  }

  private static boolean mustRebuild(RecordBatch batch, BatchRules rules) {
    Compression compression = batch.compression();
    boolean isPlainControl = batch.isControl() && compression == Compression.NONE;
    return rules.packing().isPresent()
        && rules.packing().get().compression() != compression
        && !isPlainControl;
  }

  private RecordBatch rebuild(RecordBatch batch, BatchRules rules) {
    rebuilt
        .begin()
        .packing(rules.packing().orElseThrow())
        .producer(batch.producerId(), batch.producerEpoch(), batch.baseSequence());
    if (batch.isTransactional()) {
      rebuilt.transactional();
    }
    if (batch.isControl()) {
      rebuilt.control();
    }
    copyRecords(batch, rules);
    return rebuilt.finish();
  }

  private void copyRecords(RecordBatch batch, BatchRules rules) {
    UnpackLimits limits = rules.sizes().unpacked();
    records.open(batch, limits);
    while (records.next()) {
      rebuilt.appendCopyAt(records.index(), records);
      if (rebuilt.unpackedBytes() > limits.memoryBytes()) {
        throw new InvalidBatchException(
            Reason.TOO_LARGE,
            "the records unpack to more than the "
                + limits.memoryBytes()
                + " bytes that may be packed anew for the topic's compression");
      }
    }
  }

  private ValidBatch stamp(RecordBatch batch, BatchRules rules, long nowMs) {
    if (rules.timestamps().type() == TimestampType.LOG_APPEND_TIME) {
      batch.stampTimestamps(TimestampType.LOG_APPEND_TIME, nowMs);
      return new ValidBatch(batch, nowMs, batch.recordCount());
    }
    batch.stampTimestamps(TimestampType.CREATE_TIME, maxTimestamp);
    return new ValidBatch(batch, maxTimestamp, batch.recordCount());
  }
}
