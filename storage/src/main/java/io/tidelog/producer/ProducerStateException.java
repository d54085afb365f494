package io.tidelog.producer;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.record.RecordBatch;

/** A producer's batch does not follow what it wrote before. Nothing was changed. */
public final class ProducerStateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of refusal, as the answers that clients understand. */
  public enum Reason {
    /** A batch before this one is missing, or this one is older than those that are remembered. */
    OUT_OF_ORDER_SEQUENCE,
    /** A newer instance of this producer has written here. */
    INVALID_PRODUCER_EPOCH,
    /** The producer has a transaction open, and the batch is not part of one. */
    INVALID_TXN_STATE
  }

  private final Reason reason;

  ProducerStateException(
      Reason reason, TopicPartition partition, RecordBatch batch, String problem) {
    super(
        "%s: producer %d, epoch %d: %s"
            .formatted(partition, batch.producerId(), batch.producerEpoch(), problem));
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
