/**
 * Job: checks partitions and whole data directories against themselves and says what is wrong:
 * every batch, every index entry, every side file. Reads only.
 *
 * <p>Start reading at: {@link io.tidelog.verify.Verifier}, then {@link
 * io.tidelog.verify.FindingKind}, the list of all that can be found.
 *
 * <p>Uses: recovery, segment, producer, checkpoint, record, record.compress, disk.
 *
 * <p>Threads: a check runs on threads of its own, as many as its options say, which share the
 * segments and pieces of large ones; they end before it returns. What callers get is immutable.
 */
package io.tidelog.verify;
