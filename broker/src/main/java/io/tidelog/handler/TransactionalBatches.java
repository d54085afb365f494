package io.tidelog.handler;

import io.tidelog.record.RecordBatch;
import java.util.List;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;

/** What batches of transactions have to have in common, in one request. */
final class TransactionalBatches {
  private TransactionalBatches() {}

  /**
   * Checks a request as a whole.
   *
   * @param transactionalId of the request; null if it has none
   * @throws TransactionalIdAuthorizationException if there is a transactional batch but no
   *     transactional id
   * @throws InvalidPidMappingException if there is more than one producer
   */
  static void check(String transactionalId, List<PartitionAppend> appends) {
    RecordBatch first = null;
    for (PartitionAppend append : appends) {
      if (!append.batch().isTransactional()) {
        continue;
      }
      if (transactionalId == null) {
        throw new TransactionalIdAuthorizationException(
            "a transactional batch has no transactional id");
      }
      RecordBatch next = append.batch().header();
      if (first != null && !isOfSameProducer(first, next)) {
        throw new InvalidPidMappingException(
            "Transactional records contained more than one producer ID");
      }
      first = next;
    }
  }

  private static boolean isOfSameProducer(RecordBatch one, RecordBatch other) {
    return one.producerId() == other.producerId() && one.producerEpoch() == other.producerEpoch();
  }
}
