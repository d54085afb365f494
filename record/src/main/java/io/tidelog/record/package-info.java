/**
 * Job: record batches, format version 2, and their records, as views over bytes: read, write,
 * check.
 *
 * <p>Start reading at: {@link io.tidelog.record.RecordBatch}, whose table is the format.
 *
 * <p>Uses: the JDK alone.
 *
 * <p>Threads: views hold no state of their own and may be shared as far as the bytes may.
 */
package io.tidelog.record;
