package io.tidelog.broker;

import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.producer.TransactionProtocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** A producer's transactions in one partition, written without the coordinator. */
final class Transaction {
  private static final short EPOCH = 0;

  private final PartitionLog log;
  private final long producerId;
  private int sequence;

  Transaction(PartitionLog log, long producerId) {
    this.log = log;
    this.producerId = producerId;
  }

  /** Appends one batch with one record; begins a transaction if none is open. */
  void write(long timestampMs, String value) throws IOException {
    MemoryRecords batch =
        MemoryRecords.withTransactionalRecords(
            Compression.NONE,
            producerId,
            EPOCH,
            sequence,
            new SimpleRecord(timestampMs, null, Batches.bytes(value)));
    TransactionGuard guard =
        log.guardTransaction(new FirstBatch(producerId, EPOCH, sequence, TransactionProtocol.V1))
            .orElse(TransactionGuard.NONE);
    ByteBuffer direct = ByteBuffer.allocateDirect(batch.sizeInBytes());
    direct.put(batch.buffer()).flip();
    log.append(direct, 0, AppendSource.CLIENT, guard);
    sequence++;
  }

  void commit() throws IOException {
    end(Outcome.COMMIT);
  }

  void abort() throws IOException {
    end(Outcome.ABORT);
  }

  private void end(Outcome outcome) throws IOException {
    log.appendMarker(
        new EndTransactionMarker(producerId, EPOCH, 0, outcome, TransactionProtocol.V1), 0);
  }
}
