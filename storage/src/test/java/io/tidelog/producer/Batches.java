package io.tidelog.producer;

import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Batches as Kafka's own code writes them. */
final class Batches {
  private Batches() {}

  /**
   * What a producer sends.
   *
   * @param records how many
   * @param timestamp of all of them
   */
  record Sent(long producerId, short epoch, int sequence, int records, long timestamp) {

    static Sent of(long producerId, int epoch, int sequence, int records) {
      return new Sent(producerId, (short) epoch, sequence, records, 1000);
    }

    FirstBatch first(TransactionProtocol protocol) {
      return new FirstBatch(producerId, epoch, sequence, protocol);
    }

    private SimpleRecord[] simple() {
      SimpleRecord[] all = new SimpleRecord[records];
      java.util.Arrays.setAll(all, i -> new SimpleRecord(timestamp, new byte[] {(byte) i}));
      return all;
    }

    MemoryRecords at(long offset) {
      return MemoryRecords.withIdempotentRecords(
          (byte) 2, offset, Compression.NONE, producerId, epoch, sequence, 0, simple());
    }

    MemoryRecords inTransactionAt(long offset) {
      return MemoryRecords.withTransactionalRecords(
          (byte) 2, offset, Compression.NONE, producerId, epoch, sequence, 0, simple());
    }
  }

  static MemoryRecords marker(long producerId, short epoch, long offset, int coordinatorEpoch) {
    return MemoryRecords.withEndTransactionMarker(
        offset,
        2000,
        0,
        producerId,
        epoch,
        new EndTransactionMarker(ControlRecordType.COMMIT, coordinatorEpoch));
  }

  /** The same bytes as our own code sees them. */
  static RecordBatch ours(MemoryRecords records) {
    ByteBuffer buffer = records.buffer();
    return RecordBatch.at(buffer, buffer.position());
  }
}
