package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.ProducerClaim;
import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import java.util.Set;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.requests.AddOffsetsToTxnRequest;
import org.apache.kafka.server.common.TransactionVersion;

/** AddOffsetsToTxn: the offsets that a group is going to commit become part of a transaction. */
final class AddOffsetsToTxnHandler implements RequestHandler {
  private final Transactions transactions;
  private final Groups groups;

  AddOffsetsToTxnHandler(Transactions transactions, Groups groups) {
    this.transactions = transactions;
    this.groups = groups;
  }

  @Override
  public void handle(Request request, Answer answer) {
    AddOffsetsToTxnRequestData asked = request.body(AddOffsetsToTxnRequest.class).data();
    ProducerClaim producer =
        new ProducerClaim(asked.transactionalId(), asked.producerId(), asked.producerEpoch());
    LaterAnswer.to(answer)
        .with(
            groups
                .offsetsOf(asked.groupId())
                .thenCompose(
                    partition ->
                        transactions.addPartitions(
                            producer, Set.of(partition), TransactionVersion.TV_0)),
            error ->
                new AddOffsetsToTxnResponseData()
                    .setErrorCode(FencedErrors.asKnownTo(request.body(), error).code()));
  }
}
