/**
 * Job: starts, stops, kills, and how long they take.
 *
 * <p>Start reading at: {@link io.tidelog.bench.life.Start}.
 *
 * <p>Uses: run, wire, server, result.
 *
 * <p>Threads: one.
 */
package io.tidelog.bench.life;
