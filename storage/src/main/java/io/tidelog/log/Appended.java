package io.tidelog.log;

import io.tidelog.producer.WrittenBatch;
import io.tidelog.record.RecordBatch;

/**
 * Where an append landed.
 *
 * @param baseOffset offset of the first record
 * @param lastOffset offset of the last record
 * @param logAppendTimeMs the timestamp given to all records if the log stamps append time, else -1;
 *     of a duplicate its largest timestamp, as Kafka answers it
 * @param logStartOffset the log's start offset at that moment
 * @param duplicate whether the batch was already there (an idempotent producer's retry): nothing
 *     was written
 */
public record Appended(
    long baseOffset,
    long lastOffset,
    long logAppendTimeMs,
    long logStartOffset,
    boolean duplicate) {

  /** The answer to a batch that was written just now. */
  static Appended now(RecordBatch batch, long logStartOffset) {
    long appendTimeMs =
        switch (batch.timestampType()) {
          case CREATE_TIME -> RecordBatch.NO_TIMESTAMP;
          case LOG_APPEND_TIME -> batch.maxTimestamp();
        };
    return new Appended(
        batch.baseOffset(), batch.lastOffset(), appendTimeMs, logStartOffset, false);
  }

  /** The answer to a batch that was sent again: where it already is. */
  static Appended again(WrittenBatch there, long logStartOffset) {
    return new Appended(
        there.baseOffset(), there.lastOffset(), there.timestampMs(), logStartOffset, true);
  }
}
