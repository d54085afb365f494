package io.tidelog.handler;

import io.tidelog.log.LogClosedException;
import io.tidelog.log.OffsetOutOfRangeException;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.segment.CorruptLogException;
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
    if (thrown instanceof InvalidBatchException) {
      return Errors.CORRUPT_MESSAGE;
    }
    if (thrown instanceof ProducerStateException refused) {
      return of(refused.reason());
    }
    if (thrown instanceof OffsetOutOfRangeException) {
      return Errors.OFFSET_OUT_OF_RANGE;
    }
    if (thrown instanceof LogClosedException) {
      return ofClosedLog(found);
    }
    if (thrown instanceof CorruptLogException) {
      LOG.error("Damage met by a reader: {}", thrown.getMessage());
      return Errors.CORRUPT_MESSAGE;
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

  private static Errors of(ProducerStateException.Reason reason) {
    return switch (reason) {
      case OUT_OF_ORDER_SEQUENCE -> Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
      case INVALID_PRODUCER_EPOCH -> Errors.INVALID_PRODUCER_EPOCH;
      case INVALID_TXN_STATE -> Errors.INVALID_TXN_STATE;
    };
  }
}
