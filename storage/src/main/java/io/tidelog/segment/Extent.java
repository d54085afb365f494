package io.tidelog.segment;

/**
 * How much of a segment somebody sees.
 *
 * @param bytes of its log
 * @param endOffset the offset after the last one that they can hold, {@link LogPart#OPEN} if
 *     unknown
 */
public record Extent(int bytes, long endOffset) {}
