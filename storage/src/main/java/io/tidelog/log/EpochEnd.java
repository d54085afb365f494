package io.tidelog.log;

/**
 * The answer to "where does this leader epoch end here".
 *
 * @param epoch the largest epoch at or below the one asked for, or -1 if unknown
 * @param endOffset the first offset of the epoch after it, or the log end offset; -1 if unknown
 */
public record EpochEnd(int epoch, long endOffset) {
  public static final EpochEnd UNKNOWN = new EpochEnd(-1, -1);
}
