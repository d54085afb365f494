/**
 * Job: the storage engine alone beside Kafka's own, in one JVM, by JMH.
 *
 * <p>Start reading at: {@link io.tidelog.bench.engine.AppendBenchmark}.
 *
 * <p>Uses: storage, record, wire's payloads, kafka-storage.
 *
 * <p>Threads: one.
 */
package io.tidelog.bench.engine;
