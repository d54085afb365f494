package io.tidelog.handler;

import io.tidelog.coordinator.JoinRule;
import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.producer.FirstBatch;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.producer.TransactionGuard;
import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequiredAcksException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/** What one Produce request does to one partition, and what the producer is told about it. */
final class PartitionAppend {
  /** Before this version of Produce a client could not know zstd. */
  private static final short FIRST_VERSION_WITH_ZSTD = 7;

  private final FoundPartition found;
  private final SentBatch sent;
  private final EngineErrors errors;
  private final PartitionProduceResponse response;
  private JoinRule rule;
  private TransactionGuard guard;
  private Unacknowledged unacknowledged;

  PartitionAppend(FoundPartition found, PartitionProduceData sent, EngineErrors errors) {
    this.found = found;
    this.sent = SentBatch.of(sent);
    this.errors = errors;
    this.response =
        new PartitionProduceResponse()
            .setIndex(sent.index())
            .setBaseOffset(-1)
            .setLogAppendTimeMs(-1)
            .setLogStartOffset(-1);
  }

  /**
   * Appends the batch, or finds out why not. A batch that begins a transaction here is held until
   * {@link #goOn}.
   */
  void run(ProduceRequestData request, short version) {
    if (!found.isUsable()) {
      response.setErrorCode(found.error().code());
      return;
    }
    try {
      checkAllowed(request, version);
      if (sent.isTransactional()) {
        rule = JoinRule.ofProduce(version);
        begin();
      } else {
        append(TransactionGuard.NONE);
      }
    } catch (IOException | RuntimeException refused) {
      explain(refused);
    }
  }

  /** Appends a batch of a transaction that is open here, else holds it under a guard. */
  void begin() {
    guard = null;
    try {
      RecordBatch batch = sent.header();
      FirstBatch first =
          new FirstBatch(
              batch.producerId(), batch.producerEpoch(), batch.baseSequence(), rule.protocol());
      guard = found.log().guardTransaction(first).orElse(null);
      if (guard == null) {
        append(TransactionGuard.NONE);
      }
    } catch (IOException | RuntimeException refused) {
      explain(refused);
    }
  }

  /** Whether the batch waits for the transaction coordinator. */
  boolean isHeld() {
    return guard != null;
  }

  /** Appends a batch that is held, unless the coordinator has refused it. */
  void goOn(Errors refusal) {
    TransactionGuard verified = guard;
    guard = null;
    try {
      if (refusal != Errors.NONE) {
        throw translated(refusal);
      }
      append(verified);
    } catch (IOException | RuntimeException refused) {
      explain(refused);
    }
  }

  /**
   * What a producer is told of an error of the coordinator: what may pass is, to those that would
   * not know it, an error on which they send the batch again.
   */
  private ApiException translated(Errors refusal) {
    return switch (refusal) {
      case INVALID_TXN_STATE -> refusal.exception("Partition was not added to the transaction");
      case NETWORK_EXCEPTION,
          COORDINATOR_LOAD_IN_PROGRESS,
          COORDINATOR_NOT_AVAILABLE,
          NOT_COORDINATOR ->
          notVerified(refusal);
      case CONCURRENT_TRANSACTIONS ->
          rule == JoinRule.ADD ? refusal.exception() : notVerified(refusal);
      default -> refusal.exception();
    };
  }

  private static ApiException notVerified(Errors refusal) {
    return new NotEnoughReplicasException(
        "Unable to verify the partition has been added to the transaction. Underlying error: "
            + refusal);
  }

  private void append(TransactionGuard verified) throws IOException {
    written(
        found
            .log()
            .append(sent.bytes(), found.partition().leaderEpoch(), AppendSource.CLIENT, verified));
  }

  /** The batch that came. */
  SentBatch batch() {
    return sent;
  }

  TopicPartition name() {
    return new TopicPartition(found.topic().name(), response.index());
  }

  @Override
  public String toString() {
    return name().toString();
  }

  /** The answer for this partition, right after {@link #run} unless it waits. */
  PartitionProduceResponse response() {
    return response;
  }

  /** What the answer has to wait for. */
  Optional<Unacknowledged> unacknowledged() {
    return Optional.ofNullable(unacknowledged);
  }

  /** The rules that depend on the request; those of the batch alone are the log's. */
  private void checkAllowed(ProduceRequestData request, short version) {
    if (version < FIRST_VERSION_WITH_ZSTD && sent.isCompressedWith(Compression.ZSTD)) {
      throw new UnsupportedCompressionTypeException(
          "zstd needs Produce v" + FIRST_VERSION_WITH_ZSTD + ", this is v" + version);
    }
    if (request.acks() < -1 || request.acks() > 1) {
      throw new InvalidRequiredAcksException("acks is " + request.acks() + ", allowed are -1 to 1");
    }
    if (found.topic().isInternal()) {
      throw new InvalidTopicException(
          found.topic().name() + " is written by the broker alone, not by clients");
    }
  }

  private void written(Appended appended) {
    response
        .setBaseOffset(appended.baseOffset())
        .setLogAppendTimeMs(appended.logAppendTimeMs())
        .setLogStartOffset(appended.logStartOffset());
    Unacknowledged written = new Unacknowledged(found, appended.lastOffset(), response);
    if (!written.isAcknowledged()) {
      unacknowledged = written;
    }
  }

  private void explain(Exception refused) {
    if (refused instanceof InvalidBatchException invalid) {
      response
          .setErrorCode(BatchRefusal.errorFor(invalid, sent.bytes(), found.log().settings()).code())
          .setErrorMessage(invalid.getMessage())
          .setRecordErrors(recordErrors(invalid))
          .setLogStartOffset(found.log().view().start());
      return;
    }
    response.setErrorCode(errors.of(refused, found).code());
    if (refused instanceof ApiException || refused instanceof ProducerStateException) {
      response.setErrorMessage(refused.getMessage());
    }
  }

  private static List<BatchIndexAndErrorMessage> recordErrors(InvalidBatchException invalid) {
    return invalid.recordErrors().stream()
        .map(
            record ->
                new BatchIndexAndErrorMessage()
                    .setBatchIndex(record.batchIndex())
                    .setBatchIndexErrorMessage(record.message()))
        .toList();
  }
}
