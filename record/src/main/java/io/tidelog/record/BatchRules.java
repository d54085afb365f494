package io.tidelog.record;

import java.util.Optional;

/**
 * What a topic demands of a batch that is to be appended.
 *
 * @param timestamps whose timestamps count, and which are allowed
 * @param sizes how large a batch may be
 * @param packing how batches are stored; empty: as their producers packed them
 * @param keys whether a record needs a key
 * @param depth how much of a batch is read
 */
public record BatchRules(
    TimestampRule timestamps,
    SizeRule sizes,
    Optional<Packing> packing,
    KeyRule keys,
    Depth depth) {
  /** The rules of a topic without settings. */
  public static final BatchRules DEFAULT =
      new BatchRules(TimestampRule.DEFAULT, SizeRule.DEFAULT, Optional.empty(), KeyRule.OPTIONAL);

  /** Rules for which every record is read. */
  public BatchRules(
      TimestampRule timestamps, SizeRule sizes, Optional<Packing> packing, KeyRule keys) {
    this(timestamps, sizes, packing, keys, Depth.FULL);
  }

  /** Whether a record needs a key. */
  public enum KeyRule {
    OPTIONAL,
    /** Of a compacted topic. */
    REQUIRED
  }

  /** How much of a batch is read before it is appended. */
  public enum Depth {
    /** Every record. */
    FULL,
    /** Header and CRC, unless another rule is about the records. */
    HEADER
  }

  /** Whether the header says all that these rules ask, of a batch that stays packed as it is. */
  boolean areMetByHeader() {
    return depth == Depth.HEADER && keys == KeyRule.OPTIONAL && !timestamps.boundsEarliest();
  }

  /**
   * How large a batch may be.
   *
   * @param batchBytes as it is sent and as it is stored
   * @param unpacked as it is unpacked
   */
  public record SizeRule(int batchBytes, UnpackLimits unpacked) {
    /** 1 MiB and 12 bytes. */
    public static final SizeRule DEFAULT = new SizeRule((1 << 20) + 12, UnpackLimits.DEFAULT);
  }

  /**
   * Whose timestamps count, and how far a producer's may be from the broker's clock.
   *
   * @param beforeMaxMs how far in the past
   * @param afterMaxMs how far in the future
   */
  public record TimestampRule(TimestampType type, long beforeMaxMs, long afterMaxMs) {
    /** The producer's, any in the past, up to an hour in the future. */
    public static final TimestampRule DEFAULT =
        new TimestampRule(TimestampType.CREATE_TIME, Long.MAX_VALUE, 3_600_000);

    /** Whether there is a bound that the largest timestamp of a batch says nothing about. */
    boolean boundsEarliest() {
      return type == TimestampType.CREATE_TIME && beforeMaxMs != Long.MAX_VALUE;
    }

    /** Whether a record may have this timestamp. One so early that its age overflows may not. */
    boolean allows(long timestampMs, long nowMs) {
      if (type == TimestampType.LOG_APPEND_TIME || timestampMs == RecordBatch.NO_TIMESTAMP) {
        return true;
      }
      long ageMs = nowMs - timestampMs;
      return ageMs <= beforeMaxMs && -ageMs <= afterMaxMs;
    }
  }
}
