/**
 * Job: the {@code tidelog} program: finds the command that was asked for, runs it and answers with
 * an exit code; and the command that runs a broker.
 *
 * <p>Start reading at: {@link io.tidelog.cli.Tidelog}.
 *
 * <p>Uses: cli.client, cli.dump, cli.explain, cli.repair, cli.terminal, cli.verify, broker, disk,
 * picocli.
 *
 * <p>Threads: each command runs on the main thread. A signal is answered on a thread of the JVM.
 */
package io.tidelog.cli;
