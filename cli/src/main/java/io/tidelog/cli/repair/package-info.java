/**
 * Job: the command that repairs a data directory that no broker uses.
 *
 * <p>Start reading at: {@link io.tidelog.cli.repair.RepairCommand}.
 *
 * <p>Uses: cli.terminal, cli.verify, repair, verify, producer, disk, picocli.
 *
 * <p>Threads: one; a check uses threads of its own.
 */
package io.tidelog.cli.repair;
