package io.tidelog.coordinator;

import io.tidelog.producer.ProducerStateException;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which of Kafka's errors stands for what went wrong. */
public final class TransactionErrors {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionErrors.class);

  private TransactionErrors() {}

  /** What somebody is told whose request to the coordinator failed. */
  static Errors of(Throwable failure) {
    Throwable cause = cause(failure);
    Errors error = Errors.forException(cause);
    return switch (error) {
      case REQUEST_TIMED_OUT, NOT_ENOUGH_REPLICAS, UNKNOWN_TOPIC_OR_PARTITION ->
          Errors.COORDINATOR_NOT_AVAILABLE;
      case NOT_LEADER_OR_FOLLOWER, KAFKA_STORAGE_ERROR -> Errors.NOT_COORDINATOR;
      case MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE -> Errors.UNKNOWN_SERVER_ERROR;
      case UNKNOWN_SERVER_ERROR -> {
        LOG.error("A bug of ours, met by a request to the transaction coordinator", cause);
        yield error;
      }
      default -> error;
    };
  }

  /** What was thrown, without the wrapping of futures. */
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** The exception for what a partition's log refused. */
  static ApiException of(ProducerStateException refused) {
    return of(refused.reason()).exception(refused.getMessage());
  }

  /** The error for what a partition's log refused. */
  public static Errors of(ProducerStateException.Reason reason) {
    return switch (reason) {
      case OUT_OF_ORDER_SEQUENCE -> Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
      case INVALID_PRODUCER_EPOCH -> Errors.INVALID_PRODUCER_EPOCH;
      case INVALID_TXN_STATE -> Errors.INVALID_TXN_STATE;
      case TRANSACTION_COORDINATOR_FENCED -> Errors.TRANSACTION_COORDINATOR_FENCED;
    };
  }
}
