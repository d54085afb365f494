/**
 * Job: the embeddable API: many partitions over data directories, with their background work,
 * settings and events.
 *
 * <p>Start reading at: {@link io.tidelog.store.LogStore}.
 *
 * <p>Uses: log, recovery, retention, compaction, segment, checkpoint, record.compress, disk.
 *
 * <p>Threads: a store is shared by all threads. Background work runs on its scheduler.
 */
package io.tidelog.store;
