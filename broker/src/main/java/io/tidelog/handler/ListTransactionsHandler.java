package io.tidelog.handler;

import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import org.apache.kafka.common.requests.ListTransactionsRequest;

/** ListTransactions, filtered by state, producer id, duration and transactional id. */
final class ListTransactionsHandler implements RequestHandler {
  private final Transactions transactions;

  ListTransactionsHandler(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void handle(Request request, Answer answer) {
    LaterAnswer.to(answer)
        .with(transactions.list(request.body(ListTransactionsRequest.class).data()));
  }
}
