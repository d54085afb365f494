/**
 * Job: the commands that talk to a broker, Tidelog's or Kafka's, through Kafka's own client.
 *
 * <p>Start reading at: {@link io.tidelog.cli.client.BrokerOptions}, then {@link
 * io.tidelog.cli.client.ProduceCommand}.
 *
 * <p>Uses: cli.terminal, Kafka's clients, picocli.
 *
 * <p>Threads: the main thread, and those of Kafka's clients, which only report what became of a
 * record.
 */
package io.tidelog.cli.client;
