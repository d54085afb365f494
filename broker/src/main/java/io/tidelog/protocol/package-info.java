/**
 * Job: what a request and its answer are, independent of sockets. Turns a frame into a {@link
 * io.tidelog.protocol.Request}, an answer into bytes and file slices, and knows which APIs and
 * versions are offered. Kafka's own message classes do the field by field work; nothing else in the
 * project frames them.
 *
 * <p>Start reading at: {@link io.tidelog.protocol.RequestHandler}, then {@link
 * io.tidelog.protocol.OfferedApis}.
 *
 * <p>Uses: log (for {@link io.tidelog.log.LogSlice}), Kafka's message and request classes, slf4j.
 *
 * <p>Threads: a request is decoded and handed over on its connection's event loop. An {@link
 * io.tidelog.protocol.Answer} may be given on any thread, {@link
 * io.tidelog.protocol.Request#releaseBuffer} too; everything else here is immutable or stays on the
 * loop.
 */
package io.tidelog.protocol;
