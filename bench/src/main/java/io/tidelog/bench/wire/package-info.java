/**
 * Job: requests that are encoded once and sent again and again over one or several sockets, so that
 * the broker is what limits, not the client; and what makes sure that they did what they say. Any
 * error code in an answer ends a load.
 *
 * <p>Start reading at: {@link io.tidelog.bench.wire.Pipeline}.
 *
 * <p>Uses: Kafka's client library for the formats.
 *
 * <p>Threads: that of the caller.
 */
package io.tidelog.bench.wire;
