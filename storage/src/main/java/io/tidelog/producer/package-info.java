/**
 * Job: who wrote what. For each idempotent producer of a partition the last batches, so that one
 * that is sent twice is stored once and one that is missing is noticed; which transactions are
 * open, and which batches and markers may come next; the snapshots that save reading the whole log
 * again for it.
 *
 * <p>Start reading at: {@link io.tidelog.producer.ProducerStates}, then {@link
 * io.tidelog.producer.ProducerSnapshots}.
 *
 * <p>Uses: checkpoint, record, disk.
 *
 * <p>Threads: the states of a partition are used under its lock. {@link
 * io.tidelog.producer.ProducerSnapshots#sync} may be called without it.
 */
package io.tidelog.producer;
