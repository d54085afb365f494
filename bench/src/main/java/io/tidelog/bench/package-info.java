/**
 * Job: measures Tidelog beside Apache Kafka: same machine, same run, same client, same Java.
 *
 * <p>Start reading at: {@link io.tidelog.bench.Bench}, then the list in {@link
 * io.tidelog.bench.Loads}.
 *
 * <p>Uses: load, life, run, server, result.
 *
 * <p>Threads: one; processes are loaded one at a time.
 */
package io.tidelog.bench;
