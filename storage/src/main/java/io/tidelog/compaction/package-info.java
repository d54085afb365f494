/**
 * Job: compaction of one log: whether it is time and why, the latest offset of each key, the copy
 * without what is superseded.
 *
 * <p>Start reading at: {@link io.tidelog.compaction.CompactionPlan}, then {@link
 * io.tidelog.compaction.LogCompaction}.
 *
 * <p>Uses: log, segment, record, record.compress, disk.
 *
 * <p>Threads: one for each compaction; the plan is pure.
 */
package io.tidelog.compaction;
