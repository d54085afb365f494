package io.tidelog.record;

/** Who set the timestamps of a batch: attribute bit 3. */
public enum TimestampType {
  /** The producer did; each record has its own. Bit 3 is 0. */
  CREATE_TIME,

  /** The broker did; every record of the batch has the batch's {@code maxTimestamp}. Bit 3 is 1. */
  LOG_APPEND_TIME
}
