/**
 * Job: measures Tidelog beside Apache Kafka: same machine, same run, same client, same Java.
 *
 * <p>Start reading at: {@link io.tidelog.bench.StartBench}.
 *
 * <p>Uses: testkit, Kafka's client, and as processes of their own the {@code tidelog} launcher and
 * Kafka's broker.
 *
 * <p>Threads: one; processes run one at a time.
 */
package io.tidelog.bench;
