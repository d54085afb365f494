/**
 * Job: shows what the files of a data directory hold, sound or not, without a broker.
 *
 * <p>Start reading at: {@link io.tidelog.cli.dump.DumpCommand}, then {@link
 * io.tidelog.cli.dump.LogDump}.
 *
 * <p>Uses: cli.terminal, segment, producer, checkpoint, record, record.compress, disk, picocli.
 *
 * <p>Threads: one.
 */
package io.tidelog.cli.dump;
