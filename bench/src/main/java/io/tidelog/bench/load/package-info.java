/**
 * Job: what a running broker is loaded with. Each load makes sure that its records are where they
 * should be.
 *
 * <p>Start reading at: {@link io.tidelog.bench.load.RawProduce}.
 *
 * <p>Uses: run, wire, server, result, Kafka's clients.
 *
 * <p>Threads: one, and those of the clients.
 */
package io.tidelog.bench.load;
