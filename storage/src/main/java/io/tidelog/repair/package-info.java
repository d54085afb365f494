/**
 * Job: makes a damaged directory one that verifies, from what is sound in its logs. Says first what
 * it would do and which offsets are lost; keeps a copy of all that it cuts or replaces; and leaves
 * at every moment a directory that the next run completes.
 *
 * <p>Start reading at: {@link io.tidelog.repair.Repair}, then {@link
 * io.tidelog.repair.PartitionRepair} and {@link io.tidelog.repair.LogRepair}.
 *
 * <p>Uses: verify, recovery, log, segment, producer, checkpoint, record, disk.
 *
 * <p>Threads: one, for a directory whose lock it holds while it changes something.
 */
package io.tidelog.repair;
