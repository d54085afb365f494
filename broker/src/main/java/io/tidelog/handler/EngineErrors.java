package io.tidelog.handler;

import io.tidelog.log.LogClosedException;
import io.tidelog.log.OffsetOutOfRangeException;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.topic.Topics;
import java.io.IOException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which of Kafka's error codes stands for what the engine threw. */
final class EngineErrors {
  private static final Logger LOG = LoggerFactory.getLogger(EngineErrors.class);

  private final Topics topics;

  EngineErrors(Topics topics) {
    this.topics = topics;
  }

  /**
   * The error code for an exception out of a partition's log. What a client caused is not logged; a
   * failing disk is one line, a bug of ours has its stack trace.
   */
  Errors of(Exception thrown, Found found) {
    if (thrown instanceof ApiException) {
      return Errors.forException(thrown);
    }
    if (thrown instanceof InvalidBatchException invalid) {
      return of(invalid.reason());
    }
    if (thrown instanceof OffsetOutOfRangeException) {
      return Errors.OFFSET_OUT_OF_RANGE;
    }
    if (thrown instanceof LogClosedException) {
      return ofClosedLog(found);
    }
    if (thrown instanceof IOException) {
      LOG.error("{} cannot be used: {}", found.log().directory(), thrown.getMessage());
      return Errors.KAFKA_STORAGE_ERROR;
    }
    LOG.error("A bug of ours, met by a request for {}", found.log().topicPartition(), thrown);
    return Errors.UNKNOWN_SERVER_ERROR;
  }

  /** The error code for a log that is closed: its topic was deleted, or its disk has failed. */
  Errors ofClosedLog(Found found) {
    return topics.find(found.topic().id()).isEmpty() ? found.ifGone() : Errors.KAFKA_STORAGE_ERROR;
  }

  private static Errors of(InvalidBatchException.Reason reason) {
    return switch (reason) {
      case CORRUPT -> Errors.CORRUPT_MESSAGE;
      case INVALID_RECORD, UNSUPPORTED_MAGIC -> Errors.INVALID_RECORD;
      case UNSUPPORTED_COMPRESSION -> Errors.UNSUPPORTED_COMPRESSION_TYPE;
      case INVALID_TIMESTAMP -> Errors.INVALID_TIMESTAMP;
      case TOO_LARGE -> Errors.MESSAGE_TOO_LARGE;
    };
  }
}
