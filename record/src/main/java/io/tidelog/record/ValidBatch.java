package io.tidelog.record;

/**
 * A batch that may be appended: only base offset and leader epoch are still to be stamped.
 *
 * @param batch the batch, whose records, if they were read, have offset deltas 0, 1, 2 …; the one
 *     that was sent, or one rebuilt in the validator's buffer
 * @param maxTimestamp largest timestamp, in milliseconds, -1 if no record has one
 * @param recordCount records in the batch
 */
public record ValidBatch(RecordBatch batch, long maxTimestamp, int recordCount) {}
