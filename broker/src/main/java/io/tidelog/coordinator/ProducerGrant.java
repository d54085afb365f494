package io.tidelog.coordinator;

import io.tidelog.record.RecordBatch;
import org.apache.kafka.common.protocol.Errors;

/**
 * The id and the epoch with which a producer goes on, or why there are none.
 *
 * @param error NONE if it may go on
 * @param producerId -1 if nothing is to be told
 * @param producerEpoch -1 if nothing is to be told
 */
public record ProducerGrant(Errors error, long producerId, short producerEpoch) {
  /** Nothing but the error. */
  static ProducerGrant of(Errors error) {
    return new ProducerGrant(error, RecordBatch.NO_PRODUCER_ID, RecordBatch.NO_PRODUCER_EPOCH);
  }

  static ProducerGrant of(long producerId, short producerEpoch) {
    return new ProducerGrant(Errors.NONE, producerId, producerEpoch);
  }
}
