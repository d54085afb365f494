package io.tidelog.retention;

import io.tidelog.segment.TimedSegment;

/**
 * What retention says of one segment, if all before it go.
 *
 * @param segment the segment
 * @param endOffset the offset after its last one
 * @param reason why it goes or stays
 * @param decidingMs the timestamp that its age counts from, ms; where no time was looked at {@link
 *     #NO_TIME}
 * @param decider whose timestamp that is
 * @param dueMs from when on its age alone lets it go, ms; {@link #NEVER} if no time does
 */
public record Verdict(
    TimedSegment segment,
    long endOffset,
    Reason reason,
    long decidingMs,
    Decider decider,
    long dueMs) {

  /** Stands for: no time was looked at. */
  public static final long NO_TIME = Long.MIN_VALUE;

  /** Stands for: at no time. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Why a segment goes or stays. */
  public enum Reason {
    /** It goes: it lies below the log start offset. */
    START_OFFSET,
    /** It goes: the log is larger than retention.bytes without it. */
    SIZE,
    /** It goes: its records are older than retention.ms. */
    TIME,
    /** It stays: its records are younger than retention.ms. */
    YOUNG,
    /** It stays: retention.ms is off, and it is needed for retention.bytes, or that is off too. */
    NO_TIME_LIMIT,
    /** It stays: cleanup.policy does not have delete. */
    NOT_DELETED_BY_POLICY,
    /** It stays: not all of it lies below the high watermark. */
    ABOVE_HIGH_WATERMARK,
    /** It stays: it is the last one and has no records. */
    EMPTY
  }

  /** Whose timestamp the age of a segment counts from. */
  public enum Decider {
    /** The largest of its records. */
    RECORD,
    /** The file's, since the records have none, or since the settings say so. */
    FILE,
    /** None: no time was looked at. */
    NOTHING
  }

  /** Whether it goes. */
  public boolean isCondemned() {
    return switch (reason) {
      case START_OFFSET, SIZE, TIME -> true;
      case YOUNG, NO_TIME_LIMIT, NOT_DELETED_BY_POLICY, ABOVE_HIGH_WATERMARK, EMPTY -> false;
    };
  }
}
