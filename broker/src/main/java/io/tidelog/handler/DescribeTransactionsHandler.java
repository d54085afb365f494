package io.tidelog.handler;

import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.Answer;
import io.tidelog.protocol.Request;
import io.tidelog.protocol.RequestHandler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.requests.DescribeTransactionsRequest;

/** DescribeTransactions: the state of each transactional id, or why there is none. */
final class DescribeTransactionsHandler implements RequestHandler {
  private final Transactions transactions;

  DescribeTransactionsHandler(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public void handle(Request request, Answer answer) {
    List<CompletableFuture<TransactionState>> found =
        request.body(DescribeTransactionsRequest.class).data().transactionalIds().stream()
            .map(transactions::describe)
            .toList();
    LaterAnswer.to(answer)
        .with(
            CompletableFuture.allOf(found.toArray(CompletableFuture<?>[]::new)),
            done ->
                new DescribeTransactionsResponseData()
                    .setTransactionStates(found.stream().map(CompletableFuture::join).toList()));
  }
}
