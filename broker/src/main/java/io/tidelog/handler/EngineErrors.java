package io.tidelog.handler;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.coordinator.TransactionErrors;
import io.tidelog.disk.DiskFullException;
import io.tidelog.log.LogClosedException;
import io.tidelog.log.NoRoomException;
import io.tidelog.log.OffsetOutOfRangeException;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.LostOffsetsException;
import io.tidelog.topic.Topics;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which of Kafka's error codes stands for what the engine threw. */
final class EngineErrors {
  private static final Logger LOG = LoggerFactory.getLogger(EngineErrors.class);

  private static final long SILENCE_NANOS = 10_000_000_000L;

  /** What all partitions suffer from is told of one. */
  private static final TopicPartition ANY_PARTITION = new TopicPartition("any", 0);

  private final Topics topics;
  private final Map<TopicPartition, Long> toldNanos = new ConcurrentHashMap<>();

  EngineErrors(Topics topics) {
    this.topics = topics;
  }

  /**
   * The error code for an exception out of a partition's log. What a client caused is not logged; a
   * failing disk is a line now and then, a bug of ours has its stack trace.
   */
  Errors of(Exception thrown, FoundPartition found) {
    if (thrown instanceof ApiException) {
      return Errors.forException(thrown);
    }
    if (thrown instanceof InvalidBatchException) {
      return Errors.CORRUPT_MESSAGE;
    }
    if (thrown instanceof ProducerStateException refused) {
      return TransactionErrors.of(refused.reason());
    }
    if (thrown instanceof OffsetOutOfRangeException) {
      return Errors.OFFSET_OUT_OF_RANGE;
    }
    if (thrown instanceof LogClosedException || found.log().isClosed()) {
      return ofClosedLog(found);
    }
    if (thrown instanceof LostOffsetsException) {
      return Errors.CORRUPT_MESSAGE; // the store has told of the damage, once
    }
    if (thrown instanceof CorruptLogException) {
      tell("A request for {} met damage: {}", thrown, found);
      return Errors.CORRUPT_MESSAGE;
    }
    if (thrown instanceof NoRoomException) {
      return Errors.KAFKA_STORAGE_ERROR; // the store has told, once for all
    }
    if (thrown instanceof DiskFullException) {
      tell("The disk failed a request for {}: {}", thrown, found, ANY_PARTITION);
      return Errors.KAFKA_STORAGE_ERROR;
    }
    if (thrown instanceof IOException) {
      tell("The disk failed a request for {}: {}", thrown, found);
      return Errors.KAFKA_STORAGE_ERROR;
    }
    LOG.error("A bug of ours, met by a request for {}", found.log().topicPartition(), thrown);
    return Errors.UNKNOWN_SERVER_ERROR;
  }

  /** The error code for a log that is closed: its topic was deleted, or its disk has failed. */
  Errors ofClosedLog(FoundPartition found) {
    return topics.find(found.topic().id()).isEmpty() ? found.ifGone() : Errors.KAFKA_STORAGE_ERROR;
  }

  /** Clients try again and again: one line for a partition and a while is enough. */
  private void tell(String line, Exception thrown, FoundPartition found) {
    tell(line, thrown, found, found.log().topicPartition());
  }

  /**
   * @param subject of which one line in a while is enough
   */
  private void tell(String line, Exception thrown, FoundPartition found, TopicPartition subject) {
    long now = System.nanoTime();
    Long before = toldNanos.get(subject);
    if (before == null || now - before >= SILENCE_NANOS) {
      toldNanos.put(subject, now);
      LOG.error(line, found.log().topicPartition(), thrown.getMessage());
    }
  }
}
