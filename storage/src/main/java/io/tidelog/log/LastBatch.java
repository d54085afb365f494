package io.tidelog.log;

import io.tidelog.record.RecordBatch;

/**
 * What has to stay of a producer so that a log without its other batches still knows it.
 *
 * @param lastOffset of its last data batch in its epoch, -1 if there is none
 * @param epoch of its last batch or marker
 */
public record LastBatch(long lastOffset, short epoch) {

  /** Whether this is the batch, or a marker that has to stand in for it. */
  public boolean is(RecordBatch batch) {
    return lastOffset >= 0
        ? batch.lastOffset() == lastOffset
        : batch.isControl() && batch.producerEpoch() == epoch;
  }
}
