/**
 * Job: what commands share: where they read and write, how they end, how results, bytes and
 * progress look.
 *
 * <p>Start reading at: {@link io.tidelog.cli.terminal.Streams}, then {@link
 * io.tidelog.cli.terminal.CommandException}.
 *
 * <p>Uses: the JDK alone.
 *
 * <p>Threads: one.
 */
package io.tidelog.cli.terminal;
