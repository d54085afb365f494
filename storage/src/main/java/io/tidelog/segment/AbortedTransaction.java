package io.tidelog.segment;

/**
 * A transaction whose records readers must pass over.
 *
 * @param producerId who wrote it
 * @param firstOffset of its first record
 * @param lastOffset of the marker that ended it
 * @param lastStableOffset up to where the log was settled once the marker was written
 */
public record AbortedTransaction(
    long producerId, long firstOffset, long lastOffset, long lastStableOffset) {}
