package io.tidelog.handler;

import io.tidelog.coordinator.Transactions;
import io.tidelog.protocol.OfferedApis;
import io.tidelog.topic.Topics;
import java.util.concurrent.Executor;
import org.apache.kafka.common.protocol.ApiKeys;

/** Offers the APIs that write and read records. */
public final class DataApis {
  private DataApis() {}

  /**
   * Offers them.
   *
   * @param transactions which batches are part of
   * @param diskWork runs what may wait for a disk
   */
  public static void offer(
      OfferedApis.Builder apis,
      Topics topics,
      Transactions transactions,
      FetchHandler fetch,
      Executor diskWork) {
    apis.offer(ApiKeys.PRODUCE, new ProduceHandler(topics, transactions))
        .offer(ApiKeys.FETCH, fetch)
        .offer(ApiKeys.LIST_OFFSETS, new ListOffsetsHandler(topics, diskWork))
        .offer(ApiKeys.DELETE_RECORDS, new DeleteRecordsHandler(topics, diskWork))
        .offer(ApiKeys.OFFSET_FOR_LEADER_EPOCH, new OffsetForLeaderEpochHandler(topics));
  }
}
