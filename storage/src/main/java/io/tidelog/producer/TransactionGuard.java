package io.tidelog.producer;

/**
 * Ties an append to the verification that it waits for. A producer's first batch of a transaction
 * may be written only after the transaction coordinator has said that the partition is part of it;
 * the partition gives out a guard before the coordinator is asked, and takes the batch only
 * together with it. A marker that is written meanwhile makes the guard void, so that a batch that
 * comes late does not open a transaction that nobody would ever end.
 */
public final class TransactionGuard {
  /** Goes with an append that needs no verification. */
  public static final TransactionGuard NONE = new TransactionGuard();

  TransactionGuard() {}
}
