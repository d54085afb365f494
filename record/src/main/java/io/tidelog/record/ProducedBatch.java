package io.tidelog.record;

import io.tidelog.record.InvalidBatchException.Reason;
import java.nio.ByteBuffer;

/**
 * Finds the one batch in what was produced for a partition. A batch whose end is missing counts as
 * not there: as the first one that is an error, after the first it is passed over.
 */
final class ProducedBatch {
  private static final int SMALLEST_LENGTH =
      RecordBatch.HEADER_BYTES - RecordBatch.LOG_OVERHEAD_BYTES;

  /** The length of the smallest batch of any format version. */
  private static final int SMALLEST_OLD_LENGTH = 14;

  private ProducedBatch() {}

  static RecordBatch only(ByteBuffer produced) {
    int start = produced.position();
    int sizeBytes = wholeBatchAt(produced, start);
    if (sizeBytes == 0) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD,
          "the " + produced.remaining() + " bytes for this partition hold no whole batch");
    }
    byte magic = produced.get(start + RecordBatch.MAGIC_AT);
    if (magic != RecordBatch.MAGIC) {
      throw wrongMagic(start, magic);
    }
    if (sizeBytes < RecordBatch.HEADER_BYTES) {
      throw wrongLength(start, sizeBytes - RecordBatch.LOG_OVERHEAD_BYTES, SMALLEST_LENGTH);
    }
    if (wholeBatchAt(produced, start + sizeBytes) > 0) {
      throw new InvalidBatchException(
          Reason.INVALID_RECORD, "more than one batch for this partition, expected exactly one");
    }
    return RecordBatch.at(produced, start);
  }

  /** Size of the batch that starts there, 0 if it is cut. */
  private static int wholeBatchAt(ByteBuffer produced, int start) {
    int left = produced.limit() - start;
    if (left < RecordBatch.LOG_OVERHEAD_BYTES) {
      return 0;
    }
    int length = produced.getInt(start + RecordBatch.BATCH_LENGTH_AT);
    if (length < SMALLEST_OLD_LENGTH) {
      throw wrongLength(start, length, SMALLEST_LENGTH);
    }
    if (left <= RecordBatch.MAGIC_AT) {
      return 0;
    }
    byte magic = produced.get(start + RecordBatch.MAGIC_AT);
    if (magic < 0 || magic > RecordBatch.MAGIC) {
      throw wrongMagic(start, magic);
    }
    return length <= left - RecordBatch.LOG_OVERHEAD_BYTES
        ? RecordBatch.LOG_OVERHEAD_BYTES + length
        : 0;
  }

  private static InvalidBatchException wrongMagic(int start, byte magic) {
    return new InvalidBatchException(
        Reason.UNSUPPORTED_MAGIC,
        "magic of the batch at byte " + start + " is " + magic + ", expected " + RecordBatch.MAGIC);
  }

  private static InvalidBatchException wrongLength(int start, int length, int least) {
    return new InvalidBatchException(
        Reason.CORRUPT,
        "length of the batch at byte "
            + start
            + " is "
            + length
            + ", expected "
            + least
            + " or more");
  }
}
