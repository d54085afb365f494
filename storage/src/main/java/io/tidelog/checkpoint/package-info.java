/**
 * Job: the small files beside the logs, each read and replaced as a whole: offsets per partition,
 * leader epochs, the topic id of a partition, who owns a data directory, whether it was left
 * cleanly. Also the names that these files and the folders use: topic, partition, topic id.
 *
 * <p>Start reading at: {@link io.tidelog.checkpoint.StateFile}, which says how a file is replaced,
 * then {@link io.tidelog.checkpoint.OffsetCheckpoint}.
 *
 * <p>Uses: disk.
 *
 * <p>Threads: the names are immutable. Of each file one object is used by one thread at a time.
 */
package io.tidelog.checkpoint;
