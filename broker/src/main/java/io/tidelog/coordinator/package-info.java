/**
 * Job: groups with their committed offsets, and transactions. Hosts Kafka's group coordinator
 * (classic protocol, KIP-848, groups of Kafka Streams) over the logs of {@code __consumer_offsets},
 * and our transaction coordinator, on Kafka's runtime of coordinators, over those of {@code
 * __transaction_state}; in Kafka's record formats. Share groups are not offered.
 *
 * <p>Start reading at: {@link io.tidelog.coordinator.Groups} and {@link
 * io.tidelog.coordinator.Transactions}, then {@code OnDemand}.
 *
 * <p>Uses: topic, log, segment, producer, record, store, verify, Kafka's coordinator modules (which
 * nothing else imports), message, record and metadata image classes, slf4j.
 *
 * <p>Threads: every call into {@link io.tidelog.coordinator.Groups} and {@link
 * io.tidelog.coordinator.Transactions} comes back at once with a future. Threads of Kafka's runtime
 * own the state, append to the logs and complete the futures. One thread of our own for each
 * coordinator starts it, loads logs and passes on what may wait.
 */
package io.tidelog.coordinator;
