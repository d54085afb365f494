package io.tidelog.checkpoint;

/**
 * Offsets whose records are gone for good.
 *
 * @param start the first one
 * @param end the one after the last
 */
public record LostRange(long start, long end) {
  public LostRange {
    if (start < 0 || end <= start) {
      throw new IllegalArgumentException("no offsets lie from " + start + " to " + end);
    }
  }
}
