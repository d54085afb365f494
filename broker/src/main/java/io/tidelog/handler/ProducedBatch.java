package io.tidelog.handler;

import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Cuts the one batch that a producer may send for a partition out of the bytes that came, without a
 * copy. Checks no more than what tells one batch from none and from two; the log checks the batch.
 */
final class ProducedBatch {
  /** Smallest value of the length field that Kafka takes for one: that of a record in format 0. */
  private static final int SMALLEST_BATCH_LENGTH = 14;

  private static final int BYTES_UP_TO_MAGIC = RecordBatch.MAGIC_AT + RecordBatch.MAGIC_SIZE;
  private static final int COMPRESSION_MASK = 0x07;

  /** Before this version of Produce a client could not know zstd. */
  private static final short FIRST_VERSION_WITH_ZSTD = 7;

  private ProducedBatch() {}

  /**
   * The batch, from the buffer's position to its limit. A torn batch behind it is left out, as
   * Kafka does.
   *
   * @param version the version of the Produce request
   * @throws org.apache.kafka.common.errors.ApiException if there is not exactly one batch of format
   *     2, or it has a compression that the version does not know
   */
  static ByteBuffer cut(BaseRecords records, short version) {
    if (!(records instanceof MemoryRecords memory)) {
      throw new InvalidRecordException("there is no record batch");
    }
    ByteBuffer bytes = memory.buffer();
    int start = bytes.position();
    int end = endOfBatch(bytes, start);
    if (end < 0) {
      throw new InvalidRecordException("there is no whole record batch");
    }
    checkFormat(bytes, start, end, version);
    if (endOfBatch(bytes, end) >= 0) {
      throw new InvalidRecordException("there is more than one record batch for a partition");
    }
    return bytes.limit(end);
  }

  /** Where the batch that starts here ends, or -1 if the bytes end before it. */
  private static int endOfBatch(ByteBuffer bytes, int start) {
    int left = bytes.limit() - start;
    if (left < RecordBatch.LOG_OVERHEAD_BYTES) {
      return -1;
    }
    int length = bytes.getInt(start + RecordBatch.BATCH_LENGTH_AT);
    if (length < SMALLEST_BATCH_LENGTH) {
      throw new CorruptRecordException("the batch length is " + length);
    }
    if (left < BYTES_UP_TO_MAGIC) {
      return -1;
    }
    byte magic = bytes.get(start + RecordBatch.MAGIC_AT);
    if (magic < 0 || magic > RecordBatch.MAGIC) {
      throw new CorruptRecordException("the batch's format version is " + magic);
    }
    return length > left - RecordBatch.LOG_OVERHEAD_BYTES
        ? -1
        : start + RecordBatch.LOG_OVERHEAD_BYTES + length;
  }

  private static void checkFormat(ByteBuffer bytes, int start, int end, short version) {
    byte magic = bytes.get(start + RecordBatch.MAGIC_AT);
    if (magic != RecordBatch.MAGIC) {
      throw new InvalidRecordException(
          "the batch's format version is " + magic + ", only 2 is taken");
    }
    if (end - start < RecordBatch.HEADER_BYTES) {
      throw new CorruptRecordException(
          "the batch has " + (end - start) + " bytes, less than its header");
    }
    int compression = RecordBatch.at(bytes, start).attributes() & COMPRESSION_MASK;
    if (compression == Compression.ZSTD.code() && version < FIRST_VERSION_WITH_ZSTD) {
      throw new UnsupportedCompressionTypeException(
          "zstd needs Produce v" + FIRST_VERSION_WITH_ZSTD + ", this is v" + version);
    }
  }
}
