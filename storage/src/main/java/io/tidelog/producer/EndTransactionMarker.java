package io.tidelog.producer;

import io.tidelog.record.Codecs;
import io.tidelog.record.ControlType;
import io.tidelog.record.EndTransaction;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;

/**
 * What the transaction coordinator has every partition of a transaction write when it has ended.
 *
 * @param producerId whose transaction
 * @param epoch the producer's epoch; with {@link TransactionProtocol#V2} the one after that of the
 *     transaction
 * @param coordinatorEpoch epoch of the coordinator
 * @param outcome whether the transaction counts
 * @param protocol how the coordinator ends transactions
 */
public record EndTransactionMarker(
    long producerId,
    short epoch,
    int coordinatorEpoch,
    Outcome outcome,
    TransactionProtocol protocol) {

  /** Whether a transaction counts. */
  public enum Outcome {
    COMMIT(ControlType.COMMIT),
    ABORT(ControlType.ABORT);

    private final ControlType type;

    Outcome(ControlType type) {
      this.type = type;
    }
  }

  /**
   * The control batch that says so.
   *
   * @param timestampMs of its record
   * @param codecs not used to pack, for a marker never is
   */
  public RecordBatch batch(long timestampMs, Codecs codecs) {
    return new RecordBatchWriter(codecs)
        .producer(producerId, epoch, RecordBatch.NO_SEQUENCE)
        .transactional()
        .control()
        .appendControl(timestampMs, outcome.type, new EndTransaction(coordinatorEpoch).value())
        .finish();
  }
}
