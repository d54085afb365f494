package io.tidelog.producer;

/** A transaction that a producer wants to begin here, until its first batch is written. */
final class PendingTransaction {
  private final long sinceMs;
  private final TransactionProtocol protocol;
  private final TransactionGuard guard = new TransactionGuard();
  private short epoch;
  private int lowestSequence;

  PendingTransaction(FirstBatch first, long sinceMs) {
    this.sinceMs = sinceMs;
    this.protocol = first.protocol();
    this.epoch = first.epoch();
    this.lowestSequence = first.baseSequence();
  }

  /** One more batch is on its way; several may be under way at once, and they may overtake. */
  void note(FirstBatch batch) {
    if (batch.epoch() > epoch) {
      epoch = batch.epoch();
      lowestSequence = batch.baseSequence();
    } else if (batch.epoch() == epoch) {
      lowestSequence = Math.min(lowestSequence, batch.baseSequence());
    }
  }

  long sinceMs() {
    return sinceMs;
  }

  TransactionGuard guard() {
    return guard;
  }

  boolean raisesEpochs() {
    return protocol == TransactionProtocol.V2;
  }

  /** The sequence number with which the transaction begins, as far as is known. */
  int lowestSequence() {
    return lowestSequence;
  }

  /**
   * Whether a marker ends the transaction before this one: a producer may begin the next one before
   * the marker is here that raises the epoch to that of the next one.
   */
  boolean isAfter(short markerEpoch) {
    return raisesEpochs() && epoch == markerEpoch;
  }
}
