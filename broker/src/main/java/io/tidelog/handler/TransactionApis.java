package io.tidelog.handler;

import io.tidelog.coordinator.Groups;
import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.protocol.ApiKeys;

/** Offers the APIs of transactions, and of the producer ids that they begin with. */
public final class TransactionApis {
  private TransactionApis() {}

  /** Offers them. */
  public static void offer(
      OfferedApis.Builder apis, Transactions transactions, Groups groups, Topics topics) {
    apis.offer(
            ApiKeys.INIT_PRODUCER_ID,
            new ReleasingHandler(new InitProducerIdHandler(topics, transactions)))
        .offer(
            ApiKeys.ADD_PARTITIONS_TO_TXN,
            new ReleasingHandler(new AddPartitionsToTxnHandler(transactions, topics)))
        .offer(
            ApiKeys.ADD_OFFSETS_TO_TXN,
            new ReleasingHandler(new AddOffsetsToTxnHandler(transactions, groups)))
        .offer(
            ApiKeys.TXN_OFFSET_COMMIT,
            new ReleasingHandler(new TxnOffsetCommitHandler(groups, topics)))
        .offer(ApiKeys.END_TXN, new ReleasingHandler(new EndTxnHandler(transactions)))
        .offer(
            ApiKeys.WRITE_TXN_MARKERS,
            new ReleasingHandler(new WriteTxnMarkersHandler(transactions)))
        .offer(ApiKeys.DESCRIBE_PRODUCERS, new DescribeProducersHandler(topics))
        .offer(
            ApiKeys.DESCRIBE_TRANSACTIONS,
            new ReleasingHandler(new DescribeTransactionsHandler(transactions)))
        .offer(
            ApiKeys.LIST_TRANSACTIONS,
            new ReleasingHandler(new ListTransactionsHandler(transactions)));
  }
}
