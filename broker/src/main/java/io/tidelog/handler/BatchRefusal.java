package io.tidelog.handler;

import io.tidelog.log.LogSettings;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;

/** Which error a producer is told for a batch that breaks a rule. */
final class BatchRefusal {
  private BatchRefusal() {}

  /**
   * The error that has the producer do the right thing: give up, send the same once more, or split
   * the batch.
   *
   * @param sent what came, from position to limit
   * @param settings of the log that refused it
   */
  static Errors errorFor(InvalidBatchException invalid, ByteBuffer sent, LogSettings settings) {
    return switch (invalid.reason()) {
      case CORRUPT -> Errors.CORRUPT_MESSAGE;
      case INVALID_RECORD -> Errors.INVALID_RECORD;
      case UNSUPPORTED_MAGIC -> isOldFormat(sent) ? Errors.INVALID_RECORD : Errors.CORRUPT_MESSAGE;
      case UNSUPPORTED_COMPRESSION -> Errors.UNSUPPORTED_COMPRESSION_TYPE;
      case INVALID_TIMESTAMP -> Errors.INVALID_TIMESTAMP;
      case TOO_LARGE -> tooLarge(sent.remaining(), settings);
    };
  }

  /** Only a magic that Kafka once wrote tells of an old client; any other one is damage. */
  private static boolean isOldFormat(ByteBuffer sent) {
    byte magic = sent.get(sent.position() + RecordBatch.MAGIC_AT);
    return magic >= 0 && magic < RecordBatch.MAGIC;
  }

  /** Larger than a batch may be, than a segment may be, or, if neither, once it is unpacked. */
  private static Errors tooLarge(int sizeBytes, LogSettings settings) {
    if (sizeBytes > settings.maxMessageBytes()) {
      return Errors.MESSAGE_TOO_LARGE;
    }
    return sizeBytes > settings.segmentBytes()
        ? Errors.RECORD_LIST_TOO_LARGE
        : Errors.INVALID_RECORD;
  }
}
