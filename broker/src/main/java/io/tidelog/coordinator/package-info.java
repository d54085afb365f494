/**
 * Job: consumer groups and their committed offsets. Hosts Kafka's group coordinator (classic and
 * KIP-848 protocols) over the logs of {@code __consumer_offsets}, in Kafka's record formats. Share
 * and streams groups are not offered.
 *
 * <p>Start reading at: {@link io.tidelog.coordinator.Groups}, then {@code RunningGroups}.
 *
 * <p>Uses: topic, log, record, store, Kafka's coordinator modules (which nothing else imports),
 * message, record and metadata image classes, slf4j.
 *
 * <p>Threads: every call into {@link io.tidelog.coordinator.Groups} comes back at once with a
 * future. Kafka's coordinator threads own the state of the groups, append to the logs and complete
 * the futures. One thread of our own starts the coordinator, loads logs and passes on what may
 * wait.
 */
package io.tidelog.coordinator;
