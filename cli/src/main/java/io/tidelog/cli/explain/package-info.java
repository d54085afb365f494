/**
 * Job: the commands that say why things in a log are as they are, on a directory or on a broker
 * that runs.
 *
 * <p>Start reading at: {@link io.tidelog.cli.explain.ExplainCommand}, then {@link
 * io.tidelog.cli.explain.ExplainRetentionCommand}.
 *
 * <p>Uses: cli.client, cli.terminal, explain, compaction, retention, topic, log, segment,
 * checkpoint, record, disk, Kafka's admin client, picocli.
 *
 * <p>Threads: one.
 */
package io.tidelog.cli.explain;
