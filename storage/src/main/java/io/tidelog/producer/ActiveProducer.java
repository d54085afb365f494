package io.tidelog.producer;

import java.util.OptionalLong;

/**
 * What a partition remembered of a producer at one moment.
 *
 * @param producerId who
 * @param epoch of its last batch or marker
 * @param lastSequence sequence number of its last record in that epoch, -1 if there is none
 * @param lastTimestampMs of its last batch or marker
 * @param coordinatorEpoch of its last marker, -1 if there was none
 * @param transactionStart where its open transaction begins
 */
public record ActiveProducer(
    long producerId,
    short epoch,
    int lastSequence,
    long lastTimestampMs,
    int coordinatorEpoch,
    OptionalLong transactionStart) {

  static ActiveProducer of(ProducerState state) {
    return new ActiveProducer(
        state.producerId(),
        state.epoch(),
        state.lastSequence(),
        state.lastTimestampMs(),
        state.coordinatorEpoch(),
        state.transactionStart());
  }
}
