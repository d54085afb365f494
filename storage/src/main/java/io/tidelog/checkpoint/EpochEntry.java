package io.tidelog.checkpoint;

/**
 * Where a leader epoch begins in a partition.
 *
 * @param epoch from 0
 * @param startOffset the first offset written under it
 */
public record EpochEntry(int epoch, long startOffset) {}
