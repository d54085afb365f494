/**
 * Job: answers questions about the files of a data directory, with the reasons: why a segment is
 * still here, whether it is time to compact, what holds the last stable offset, where an offset
 * lies, what a byte means. Reads only, takes no lock, and may be asked while a broker runs on the
 * directory.
 *
 * <p>Start reading at: {@link io.tidelog.explain.PartitionOnDisk}, then {@link
 * io.tidelog.explain.RetentionExplanation}.
 *
 * <p>Uses: compaction, retention, log, segment, producer, checkpoint, record, record.compress,
 * disk.
 *
 * <p>Threads: one for each question.
 */
package io.tidelog.explain;
