/**
 * Job: plaintext listeners on event loops. Accepts connections, cuts what they send into frames,
 * has each request served on the loop that read it, and sends the answers in the order of the
 * requests, long file slices straight from their file.
 *
 * <p>Start reading at: {@link io.tidelog.net.Server}, then {@link io.tidelog.net.Connection}.
 *
 * <p>Uses: protocol, Kafka's {@code ApiMessage} and {@code ApiKeys}, slf4j.
 *
 * <p>Threads: each loop is one thread that owns its selector, its connections and its timers, and
 * never hands a request to another thread. A connection stays on one loop. Answers and released
 * buffers may come from any thread; an answer from elsewhere is queued and wakes the loop only if
 * it sleeps. The buffer pool is shared by all loops behind a lock.
 *
 * <h2>Order</h2>
 *
 * A request is started when every earlier request of its connection has been answered, sent or not.
 * Produce requests are the exception: one is also started while only produce requests are waiting
 * for their answers, so that those which wait for the disk share a group fsync; but not before the
 * last one has let go of its bytes: a batch that begins a transaction is written later than it
 * came, and those behind it must not pass it. Kafka starts no request before the answer to the one
 * before it has been sent, which a client cannot tell from this.
 *
 * <h2>Push back</h2>
 *
 * Nothing is started while answers wait for a full socket or while {@value
 * io.tidelog.net.Connection#MAX_UNSENT} requests are under way, and a connection is not read once
 * it holds a whole frame that cannot be started or finds the receive memory spent. So what a peer
 * can make the broker hold is one buffer of requests, and answers as objects and pinned slices, not
 * as bytes. An eighth of the receive memory is for short frames alone, and while connections wait
 * for memory a frame that hardly goes on is dropped with its connection.
 */
package io.tidelog.net;
