package io.tidelog.producer;

/**
 * The offsets that a log has.
 *
 * @param start the first
 * @param end the one after the last
 */
public record OffsetRange(long start, long end) {
  public OffsetRange {
    if (start > end) {
      throw new IllegalArgumentException("start " + start + " is past end " + end);
    }
  }
}
