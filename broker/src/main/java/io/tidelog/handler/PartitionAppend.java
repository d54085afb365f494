package io.tidelog.handler;

import io.tidelog.log.AppendSource;
import io.tidelog.log.Appended;
import io.tidelog.producer.ProducerStateException;
import io.tidelog.record.Compression;
import io.tidelog.record.InvalidBatchException;
import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidRequiredAcksException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** What one Produce request does to one partition, and what the producer is told about it. */
final class PartitionAppend {
  /** Before this version of Produce a client could not know zstd. */
  private static final short FIRST_VERSION_WITH_ZSTD = 7;

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
      ByteBuffer bytes = bytes();
      checkAllowed(bytes, request, version);
      written(found.log().append(bytes, found.partition().leaderEpoch(), AppendSource.CLIENT));
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

  /** What came for the partition, in the receive buffer. */
  private ByteBuffer bytes() {
    if (sent.records() instanceof MemoryRecords memory) {
      return memory.buffer();
    }
    throw new InvalidRecordException("there is no record batch");
  }

  /** The rules that depend on the request; those of the batch alone are the log's. */
  private void checkAllowed(ByteBuffer bytes, ProduceRequestData request, short version) {
    boolean hasHeader = bytes.remaining() >= RecordBatch.HEADER_BYTES;
    RecordBatch batch = hasHeader ? RecordBatch.at(bytes, bytes.position()) : null;
    boolean isCurrent = hasHeader && batch.magic() == RecordBatch.MAGIC;
    if (isCurrent
        && batch.compressionCode() == Compression.ZSTD.code()
        && version < FIRST_VERSION_WITH_ZSTD) {
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
    if (isCurrent && batch.isTransactional()) {
      throw request.transactionalId() == null
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
    if (refused instanceof InvalidBatchException invalid) {
      ByteBuffer bytes = ((MemoryRecords) sent.records()).buffer();
      response
          .setErrorCode(BatchRefusal.errorFor(invalid, bytes, found.log().settings()).code())
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
