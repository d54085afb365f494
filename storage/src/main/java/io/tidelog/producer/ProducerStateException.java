package io.tidelog.producer;

/** A producer's batch does not follow what it wrote before. Nothing was changed. */
public final class ProducerStateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of refusal, as the answers that clients understand. */
  public enum Reason {
    /** A batch before this one is missing, or this one is older than those that are remembered. */
    OUT_OF_ORDER_SEQUENCE,
    /** A newer instance of this producer has written here. */
    INVALID_PRODUCER_EPOCH,
    /**
     * The producer has a transaction open, and the batch is not part of one; or it would open one
     * that was not verified.
     */
    INVALID_TXN_STATE,
    /** A newer transaction coordinator has written here. */
    TRANSACTION_COORDINATOR_FENCED
  }

  private final Reason reason;

  ProducerStateException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
