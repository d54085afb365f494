package io.tidelog.producer;

/**
 * A transaction whose marker was written.
 *
 * @param producerId whose
 * @param firstOffset of its first record
 * @param markerOffset of its marker
 * @param lastStableOffset up to where every transaction has ended then
 */
public record EndedTransaction(
    long producerId, long firstOffset, long markerOffset, long lastStableOffset) {}
