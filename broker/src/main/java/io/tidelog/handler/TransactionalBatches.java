package io.tidelog.handler;

import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** What batches of transactions have to have in common, in one request. */
final class TransactionalBatches {
  private TransactionalBatches() {}

  /**
   * Checks a request as a whole.
   *
   * @throws TransactionalIdAuthorizationException if there is a transactional batch but no
   *     transactional id
   * @throws InvalidPidMappingException if there is more than one producer
   */
  static void check(ProduceRequestData request) {
    RecordBatch first = null;
    for (TopicProduceData topic : request.topicData()) {
      for (PartitionProduceData partition : topic.partitionData()) {
        RecordBatch batch = transactional(partition);
        if (batch == null) {
          continue;
        }
        if (request.transactionalId() == null) {
          throw new TransactionalIdAuthorizationException(
              "a transactional batch has no transactional id");
        }
        if (first != null && !isOfSameProducer(first, batch)) {
          throw new InvalidPidMappingException(
              "Transactional records contained more than one producer ID");
        }
        first = batch;
      }
    }
  }

  private static boolean isOfSameProducer(RecordBatch one, RecordBatch other) {
    return one.producerId() == other.producerId() && one.producerEpoch() == other.producerEpoch();
  }

  /** The batch for a partition if it is one of a transaction, else null. */
  private static RecordBatch transactional(PartitionProduceData partition) {
    if (!(partition.records() instanceof MemoryRecords memory)) {
      return null;
    }
    ByteBuffer bytes = memory.buffer();
    if (bytes.remaining() < RecordBatch.HEADER_BYTES) {
      return null;
    }
    RecordBatch batch = RecordBatch.at(bytes, bytes.position());
    return batch.magic() == RecordBatch.MAGIC && batch.isTransactional() ? batch : null;
  }
}
