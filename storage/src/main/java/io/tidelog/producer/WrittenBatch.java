package io.tidelog.producer;

/**
 * Where a batch that was sent again already is.
 *
 * @param baseOffset offset of its first record
 * @param lastOffset offset of its last record
 * @param timestampMs its largest timestamp
 */
public record WrittenBatch(long baseOffset, long lastOffset, long timestampMs) {}
