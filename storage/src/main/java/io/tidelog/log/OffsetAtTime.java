package io.tidelog.log;

/**
 * An answer to a search by time.
 *
 * @param offset the record's offset, or -1 if there is none
 * @param timestampMs the record's timestamp, or -1 if there is none
 * @param leaderEpoch the leader epoch of its batch, or -1
 */
public record OffsetAtTime(long offset, long timestampMs, int leaderEpoch) {
  public static final OffsetAtTime NONE = new OffsetAtTime(-1, -1, -1);
}
