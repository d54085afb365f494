/**
 * Job: one partition: validates and numbers batches, appends, reads, rolls, truncates, keeps leader
 * epochs, and publishes its offsets as one immutable view.
 *
 * <p>Start reading at: {@link io.tidelog.log.PartitionLog}, then {@link io.tidelog.log.LogView}.
 *
 * <p>Uses: segment, producer, checkpoint, record, record.compress, disk.
 *
 * <p>Threads: appends, rolls, truncation and deletion of one log exclude each other by its lock.
 * Reads take no lock: they work on one {@link io.tidelog.log.LogView}. Syncs run outside of the
 * lock.
 */
package io.tidelog.log;
