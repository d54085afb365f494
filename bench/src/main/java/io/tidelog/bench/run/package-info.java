/**
 * Job: what a load is, and running it on both servers in turn.
 *
 * <p>Start reading at: {@link io.tidelog.bench.run.Load}.
 *
 * <p>Uses: result, server.
 *
 * <p>Threads: one.
 */
package io.tidelog.bench.run;
