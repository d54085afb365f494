package io.tidelog.handler;

import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * What a producer sent for one partition, a view of the receive buffer. Its header is looked for
 * once; whether the rest is sound is for the log to find out.
 */
final class SentBatch {
  /** Null if nothing came. */
  private final ByteBuffer bytes;

  /** Null if what came is too short or of another format. */
  private final RecordBatch header;

  private SentBatch(ByteBuffer bytes, RecordBatch header) {
    this.bytes = bytes;
    this.header = header;
  }

  static SentBatch of(PartitionProduceData sent) {
    if (!(sent.records() instanceof MemoryRecords memory)) {
      return new SentBatch(null, null);
    }
    ByteBuffer bytes = memory.buffer();
    if (bytes.remaining() < RecordBatch.HEADER_BYTES) {
      return new SentBatch(bytes, null);
    }
    RecordBatch header = RecordBatch.at(bytes, bytes.position());
    return new SentBatch(bytes, header.magic() == RecordBatch.MAGIC ? header : null);
  }

  /**
   * All that came, from position to limit.
   *
   * @throws InvalidRecordException if nothing came
   */
  ByteBuffer bytes() {
    if (bytes == null) {
      throw new InvalidRecordException("there is no record batch");
    }
    return bytes;
  }

  /** Whether it says to be part of a transaction. */
  boolean isTransactional() {
    return header != null && header.isTransactional();
  }

  /** Whether it says to be compressed in this way. */
  boolean isCompressedWith(Compression compression) {
    return header != null && header.compressionCode() == compression.code();
  }

  /** Its header, which one that is part of a transaction has. */
  RecordBatch header() {
    return header;
  }
}
