package io.tidelog.record;

/**
 * One record that made a batch invalid.
 *
 * @param batchIndex index of the record in its batch, from 0
 * @param message what is wrong with it
 */
public record RecordError(int batchIndex, String message) {}
