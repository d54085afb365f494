/**
 * Job: one segment of a log: the {@code .log} file, the two sparse indexes that find offsets and
 * times in it, and the one that tells which transactions were aborted.
 *
 * <p>Start reading at: {@link io.tidelog.segment.Segment}, {@link io.tidelog.segment.OffsetIndex},
 * and {@link io.tidelog.segment.SoundWalk} for what damage does.
 *
 * <p>Uses: record, disk.
 *
 * <p>Threads: one writer at a time (its log sees to that); any number of readers, without a lock. A
 * reader must not look past a position that the writer has published.
 */
package io.tidelog.segment;
