/**
 * Job: topics, their partitions and configs. Every change of them is a record in the metadata log,
 * {@code __cluster_metadata-0}, written in KRaft's own format; what readers see is the image that
 * these records add up to.
 *
 * <p>Start reading at: {@link io.tidelog.topic.Topics}; what may be served at all is {@link
 * io.tidelog.topic.Admission}'s to say.
 *
 * <p>Uses: store, verify, log, segment, checkpoint, disk, record, record.compress, Kafka's metadata
 * image and record classes, slf4j.
 *
 * <p>Threads: all lookups are lock-free on immutable values, from any thread. Changes are decided,
 * written and applied one after the other on one thread of their own, so that no event loop waits
 * for a disk.
 */
package io.tidelog.topic;
