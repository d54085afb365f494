/**
 * Job: one class per API: finds what the request names, acts on the log, builds the answer. All of
 * Kafka's rules about which error stands for what are here.
 *
 * <p>Start reading at: {@link io.tidelog.handler.OffsetForLeaderEpochHandler}, the smallest one,
 * which has the shape of them all.
 *
 * <p>Uses: protocol, topic, coordinator, store, log, producer, segment, checkpoint, record, disk,
 * Kafka's message and request classes, slf4j.
 *
 * <p>Threads: handlers are called on the event loops, hold no state of a request themselves, and
 * may serve many loops at once. What outlives the call ({@link io.tidelog.handler.LogWatch} and its
 * users, {@link io.tidelog.handler.FetchWait}) stays on the request's loop; fetch sessions outlive
 * connections and have locks. Work that waits for a disk goes to an executor that is passed in.
 */
package io.tidelog.handler;
