package io.tidelog.handler;

import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;

/** What one Produce request does to one partition, and what the producer is told about it. */
final class PartitionAppend {
  private final Found found;
  private final PartitionProduceData sent;
  private final EngineErrors errors;
  private final PartitionProduceResponse response;
  private Unacknowledged unacknowledged;

  PartitionAppend(Found found, PartitionProduceData sent, EngineErrors errors) {
    this.found = found;
    this.sent = sent;
    this.errors = errors;
    this.response =
        new PartitionProduceResponse()
            .setIndex(sent.index())
            .setBaseOffset(-1)
            .setLogAppendTimeMs(-1)
            .setLogStartOffset(-1);
  }

  /** Appends the batch, or finds out why not. */
  void run(ProduceRequestData request, short version) {
    if (!found.isUsable()) {
      response.setErrorCode(found.error().code());
      return;
    }
    try {
      ByteBuffer batch = ProducedBatch.cut(sent.records(), version);
      if (request.acks() < -1 || request.acks() > 1) {
        response.setErrorCode(Errors.INVALID_REQUIRED_ACKS.code());
        return;
      }
      checkAllowed(batch, request.transactionalId());
      written(found.log().append(batch, found.partition().leaderEpoch(), AppendSource.CLIENT));
    } catch (IOException | RuntimeException refused) {
      explain(refused);
    }
  }

  /** The answer for this partition, right after {@link #run} unless it waits. */
  PartitionProduceResponse response() {
    return response;
  }

  /** What the answer has to wait for. */
  Optional<Unacknowledged> unacknowledged() {
    return Optional.ofNullable(unacknowledged);
  }

  private void checkAllowed(ByteBuffer batch, String transactionalId) {
    if (found.topic().isInternal()) {
      throw new InvalidTopicException(
          found.topic().name() + " is written by the broker alone, not by clients");
    }
    if (RecordBatch.at(batch, batch.position()).isTransactional()) {
      throw transactionalId == null
          ? new TransactionalIdAuthorizationException("a transactional batch has no transaction")
          : new InvalidTxnStateException("this broker does not offer transactions");
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
    Errors error = errors.of(refused, found);
    if (error == Errors.MESSAGE_TOO_LARGE
        && sent.records().sizeInBytes() <= found.log().settings().maxMessageBytes()) {
      error = Errors.RECORD_LIST_TOO_LARGE;
    }
    response.setErrorCode(error.code());
    if (refused instanceof InvalidBatchException invalid) {
      response.setErrorMessage(invalid.getMessage()).setRecordErrors(recordErrors(invalid));
      response.setLogStartOffset(found.log().view().start());
    } else if (refused instanceof ApiException) {
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
