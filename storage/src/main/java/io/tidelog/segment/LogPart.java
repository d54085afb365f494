package io.tidelog.segment;

/**
 * A part of a {@code .log} file and what its batches may say.
 *
 * @param from its first byte, where a batch should begin
 * @param to the byte after its last one
 * @param firstOffset the batches begin at or after this offset, or {@link #AS_FOUND}
 * @param endOffset the batches end below this offset
 */
public record LogPart(int from, int to, long firstOffset, long endOffset) {
  /** The first offset of what begins with the offset that its first batch has. */
  public static final long AS_FOUND = -1;

  /** The end offset of what nobody knows the end of. */
  public static final long OPEN = Long.MAX_VALUE;

  /** What is left of it from a byte on, where this offset may come next. */
  LogPart rest(int at, long offset) {
    return new LogPart(at, to, offset, endOffset);
  }
}
