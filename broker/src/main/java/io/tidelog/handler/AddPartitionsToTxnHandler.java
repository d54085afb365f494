package io.tidelog.handler;

import io.tidelog.coordinator.ProducerClaim;
import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import io.tidelog.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddPartitionsToTxnRequest;
import org.apache.kafka.common.requests.AddPartitionsToTxnResponse;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * AddPartitionsToTxn: producers add partitions to their transaction (to v3); brokers add or verify
 * them, for many transactions at once (from v4). If one partition of a transaction may not be added
 * none is, and the others get OPERATION_NOT_ATTEMPTED.
 */
final class AddPartitionsToTxnHandler implements RequestHandler {
  private static final int FIRST_VERSION_OF_BROKERS = 4;
  private final Transactions transactions;
  private final Topics topics;

  AddPartitionsToTxnHandler(Transactions transactions, Topics topics) {
    this.transactions = transactions;
    this.topics = topics;
  }

  @Override
  public void handle(Request request, Answer answer) {
    AddPartitionsToTxnRequest sent = request.body(AddPartitionsToTxnRequest.class);
    boolean isOfBroker = request.version() >= FIRST_VERSION_OF_BROKERS;
    AddPartitionsToTxnRequest asked = isOfBroker ? sent : sent.normalizeRequest();
    List<CompletableFuture<AddPartitionsToTxnResult>> results = new ArrayList<>();
    Map<String, List<TopicPartition>> partitions = asked.partitionsByTransaction();
    for (AddPartitionsToTxnTransaction transaction : asked.data().transactions()) {
      results.add(result(asked, transaction, partitions.get(transaction.transactionalId())));
    }
    LaterAnswer.to(answer)
        .with(
            CompletableFuture.allOf(results.toArray(CompletableFuture<?>[]::new)),
            done -> {
              AddPartitionsToTxnResponseData response = new AddPartitionsToTxnResponseData();
              for (CompletableFuture<AddPartitionsToTxnResult> result : results) {
                if (isOfBroker) {
                  response.resultsByTransaction().add(result.join());
                } else {
                  response.setResultsByTopicV3AndBelow(result.join().topicResults());
                }
              }
              return response;
            });
  }

  private CompletableFuture<AddPartitionsToTxnResult> result(
      AddPartitionsToTxnRequest asked,
      AddPartitionsToTxnTransaction transaction,
      List<TopicPartition> partitions) {
    String id = transaction.transactionalId();
    Map<TopicPartition, Errors> refused = refused(partitions, asked.version());
    if (!refused.isEmpty()) {
      return CompletableFuture.completedFuture(
          AddPartitionsToTxnResponse.resultForTransaction(id, refused));
    }
    ProducerClaim producer =
        new ProducerClaim(id, transaction.producerId(), transaction.producerEpoch());
    if (transaction.verifyOnly()) {
      return transactions
          .verify(producer, Set.copyOf(partitions))
          .thenApply(errors -> AddPartitionsToTxnResponse.resultForTransaction(id, errors));
    }
    return transactions
        .addPartitions(
            producer,
            Set.copyOf(partitions),
            TransactionVersion.transactionVersionForAddPartitionsToTxn(asked))
        .thenApply(
            error -> asked.errorResponseForTransaction(id, FencedErrors.asKnownTo(asked, error)));
  }

  /** Empty if all may be added, else an error for each. */
  private Map<TopicPartition, Errors> refused(List<TopicPartition> partitions, short version) {
    Map<TopicPartition, Errors> errors = new HashMap<>();
    for (TopicPartition partition : partitions) {
      if (version < FIRST_VERSION_OF_BROKERS && Topic.isInternal(partition.topic())) {
        errors.put(partition, Errors.TOPIC_AUTHORIZATION_FAILED);
      } else if (!exists(partition)) {
        errors.put(partition, Errors.UNKNOWN_TOPIC_OR_PARTITION);
      }
    }
    if (!errors.isEmpty()) {
      partitions.forEach(
          partition -> errors.putIfAbsent(partition, Errors.OPERATION_NOT_ATTEMPTED));
    }
    return errors;
  }

  private boolean exists(TopicPartition partition) {
    return topics
        .find(partition.topic())
        .flatMap(topic -> topic.partition(partition.partition()))
        .isPresent();
  }
}
