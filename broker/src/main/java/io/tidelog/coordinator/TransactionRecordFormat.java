package io.tidelog.coordinator;

import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.kafka.coordinator.common.runtime.Deserializer;
import org.apache.kafka.coordinator.common.runtime.Serializer;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TransactionLog.ReadResult;
import org.apache.kafka.coordinator.transaction.TransactionLog.TxnRecord;
import org.apache.kafka.coordinator.transaction.TransactionLog.TxnTombstone;
import org.apache.kafka.coordinator.transaction.TransactionLog.UnknownKeyVersion;
import org.apache.kafka.coordinator.transaction.TransactionLog.UnknownValueVersion;
import org.apache.kafka.server.common.TransactionVersion;

/** The records of {@code __transaction_state}, as Kafka writes and reads them. */
final class TransactionRecordFormat
    implements Serializer<TransactionRecord>, Deserializer<TransactionRecord> {
  private final Supplier<TransactionVersion> inForce;

  /**
   * @param inForce the level of the feature {@code transaction.version}, on which the version of
   *     the values depends
   */
  TransactionRecordFormat(Supplier<TransactionVersion> inForce) {
    this.inForce = inForce;
  }

  @Override
  public byte[] serializeKey(TransactionRecord record) {
    return TransactionLog.keyToBytes(record.transactionalId());
  }

  @Override
  public byte[] serializeValue(TransactionRecord record) {
    return record.state() == null
        ? null
        : TransactionLog.valueToBytes(record.state().prepareNoTransit(), inForce.get());
  }

  @Override
  public TransactionRecord deserialize(ByteBuffer key, ByteBuffer value) {
    ReadResult read = TransactionLog.read(key, value);
    if (read instanceof TxnRecord present) {
      return new TransactionRecord(present.transactionId(), present.metadata());
    }
    if (read instanceof TxnTombstone gone) {
      return TransactionRecord.tombstone(gone.transactionId());
    }
    if (read instanceof UnknownValueVersion newer) {
      throw new UnknownRecordTypeException(newer.version());
    }
    throw new UnknownRecordTypeException(((UnknownKeyVersion) read).version());
  }
}
