package io.tidelog.recovery;

/**
 * What the data directory's checkpoints say of a partition.
 *
 * @param stop how the store was stopped
 * @param recoveryPoint offset below which all is durable, 0 if unknown
 * @param start log start offset, 0 if there is none but the first segment's, {@link #UNKNOWN_START}
 *     if nobody knows
 * @param deletedBelow what lies below this offset was deleted for sure; below the start it may be
 *     that one damaged number alone says so
 */
public record KnownState(Stop stop, long recoveryPoint, long start, long deletedBelow) {
  public KnownState(Stop stop, long recoveryPoint, long start) {
    this(stop, recoveryPoint, start, start);
  }

  /** The checkpoint of start offsets is lost. */
  public static final long UNKNOWN_START = -1;

  /** How the store was stopped. */
  public enum Stop {
    /** All was made durable and the indexes are complete. */
    CLEAN,
    /** Whatever lies past the recovery point may be torn. */
    UNCLEAN
  }

  /** The same with another start. */
  KnownState startingAt(long other) {
    return new KnownState(stop, recoveryPoint, other);
  }

  /** The same with another start, of which it is not sure that all below it was deleted. */
  KnownState startingAt(long other, long surelyDeletedBelow) {
    return new KnownState(stop, recoveryPoint, other, surelyDeletedBelow);
  }

  /** Of a folder that was just made. */
  public static final KnownState NEW = new KnownState(Stop.CLEAN, 0, 0);
}
