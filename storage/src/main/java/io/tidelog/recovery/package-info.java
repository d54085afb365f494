/**
 * Job: opens a partition's folder after any shutdown and hands back a log that keeps its promises.
 *
 * <p>Start reading at: {@link io.tidelog.recovery.LogOpener}.
 *
 * <p>Uses: log, segment, producer, checkpoint, record, disk.
 *
 * <p>Threads: one caller per folder; several folders may be opened at the same time.
 */
package io.tidelog.recovery;
