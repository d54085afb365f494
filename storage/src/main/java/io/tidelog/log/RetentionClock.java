package io.tidelog.log;

/** Which time retention.ms counts from. */
public enum RetentionClock {
  /**
   * The largest record timestamp in a segment, as Kafka does: a record from the future holds its
   * segment back.
   */
  RECORD,
  /** The time of a segment's last append. */
  APPEND
}
