/**
 * Job: Tidelog and Apache Kafka as child processes on loopback, and what they cost.
 *
 * <p>Start reading at: {@link io.tidelog.bench.server.RunningServer}.
 *
 * <p>Uses: testkit; the {@code tidelog} launcher; Kafka's broker.
 *
 * <p>Threads: one.
 */
package io.tidelog.bench.server;
