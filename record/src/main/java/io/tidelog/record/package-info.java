/**
 * Job: record batches, format version 2, and their records, as views over bytes: read, write,
 * check.
 *
 * <p>Start reading at: {@link io.tidelog.record.RecordBatch}, whose table is the format of a batch,
 * then {@link io.tidelog.record.RecordCursor} for its records and {@link
 * io.tidelog.record.BatchValidator} for what may be appended.
 *
 * <p>Uses: the JDK alone.
 *
 * <p>Threads: views hold no state of their own and may be shared as far as the bytes may. Cursors,
 * writers, validators and codecs keep buffers and belong to one thread each.
 *
 * <h2>History</h2>
 *
 * Format version 2 came with Kafka 0.11 and is the only one here; a batch of versions 0 and 1 is
 * refused.
 */
package io.tidelog.record;
