package io.tidelog.handler;

import io.tidelog.coordinator.ProducerClaim;
import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.server.common.TransactionVersion;

/**
 * EndTxn: a transaction is committed or aborted. From v5 on the answer has the epoch with which the
 * producer goes on.
 */
final class EndTxnHandler implements RequestHandler {
  private final Transactions transactions;

  EndTxnHandler(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void handle(Request request, Answer answer) {
    EndTxnRequest asked = request.body(EndTxnRequest.class);
    ProducerClaim producer =
        new ProducerClaim(
            asked.data().transactionalId(),
            asked.data().producerId(),
            asked.data().producerEpoch());
    LaterAnswer.to(answer)
        .with(
            transactions.end(
                producer, asked.result(), TransactionVersion.transactionVersionForEndTxn(asked)),
            grant ->
                new EndTxnResponseData()
                    .setErrorCode(FencedErrors.asKnownTo(request.body(), grant.error()).code())
                    .setProducerId(grant.producerId())
                    .setProducerEpoch(grant.producerEpoch()));
  }
}
