package io.tidelog.handler;

import io.tidelog.coordinator.Transactions;
import io.tidelog.producer.EndTransactionMarker;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TransactionResult;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest.TxnMarkerEntry;
import org.apache.kafka.common.requests.WriteTxnMarkersResponse;

/**
 * WriteTxnMarkers: ends transactions in partitions, for another coordinator or for an administrator
 * who aborts one that hangs. The answer waits until every marker counts, up to a limit.
 */
final class WriteTxnMarkersHandler implements RequestHandler {
  private static final long PATIENCE_MS = 30_000;

  private final Transactions transactions;

  WriteTxnMarkersHandler(Transactions transactions) {
    this.transactions = transactions;
  }

  private record Write(
      long producerId, TopicPartition partition, CompletableFuture<Errors> outcome) {}

  @Override
  public void handle(Request request, Answer answer) {
    List<Write> writes = new ArrayList<>();
    for (TxnMarkerEntry entry : request.body(WriteTxnMarkersRequest.class).markers()) {
      for (TopicPartition partition : entry.partitions()) {
        writes.add(new Write(entry.producerId(), partition, write(partition, entry)));
      }
    }
    CompletableFuture<Void> written =
        CompletableFuture.allOf(
            writes.stream().map(Write::outcome).toArray(CompletableFuture<?>[]::new));
    if (!written.isDone()) {
      request.loop().schedule(() -> giveUp(writes), PATIENCE_MS);
    }
    LaterAnswer.to(answer).with(written, done -> body(writes));
  }

  private static boolean isOfProducer(TxnMarkerEntry entry) {
    return entry.producerId() >= 0 && entry.producerEpoch() >= 0;
  }

  /** The transaction coordinator's own log has no transactions, and no other writer. */
  private CompletableFuture<Errors> write(TopicPartition partition, TxnMarkerEntry entry) {
    if (partition.topic().equals(Topic.TRANSACTION_STATE_TOPIC_NAME)) {
      return CompletableFuture.completedFuture(Errors.INVALID_TOPIC_EXCEPTION);
    }
    if (!isOfProducer(entry)) {
      return CompletableFuture.completedFuture(Errors.INVALID_PRODUCER_EPOCH);
    }
    return transactions
        .writeMarker(partition, marker(entry))
        .handle((done, failure) -> error(failure));
  }

  private static EndTransactionMarker marker(TxnMarkerEntry entry) {
    return new EndTransactionMarker(
        entry.producerId(),
        entry.producerEpoch(),
        entry.coordinatorEpoch(),
        entry.transactionResult() == TransactionResult.COMMIT ? Outcome.COMMIT : Outcome.ABORT,
        TransactionProtocol.ofLevel(entry.transactionVersion()));
  }

  private static Errors error(Throwable failure) {
    if (failure == null) {
      return Errors.NONE;
    }
    return Errors.forException(
        failure instanceof CompletionException ? failure.getCause() : failure);
  }

  private static void giveUp(List<Write> writes) {
    writes.forEach(write -> write.outcome().complete(Errors.REQUEST_TIMED_OUT));
  }

  private static ApiMessage body(List<Write> writes) {
    Map<Long, Map<TopicPartition, Errors>> results = new HashMap<>();
    for (Write write : writes) {
      results
          .computeIfAbsent(write.producerId(), id -> new HashMap<>())
          .put(write.partition(), write.outcome().join());
    }
    return new WriteTxnMarkersResponse(results).data();
  }
}
