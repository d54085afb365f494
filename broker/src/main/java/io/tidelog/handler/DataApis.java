package io.tidelog.handler;

import io.tidelog.protocol.OfferedApis;
import io.tidelog.topic.Topics;
import java.io.Closeable;
import java.util.concurrent.Executor;
import org.apache.kafka.common.protocol.ApiKeys;

/** The APIs that write and read records. */
public final class DataApis implements Closeable {
  private final FetchHandler fetch;

  private DataApis(FetchHandler fetch) {
    this.fetch = fetch;
  }

  /**
   * Offers them.
   *
   * @param diskWork runs what may wait for a disk
   * @param fetchMaxBytes most bytes of records in the answer to a fetch (fetch.max.bytes)
   */
  public static DataApis offer(
      OfferedApis.Builder apis, Topics topics, Executor diskWork, int fetchMaxBytes) {
    FetchHandler fetch = new FetchHandler(topics, fetchMaxBytes);
    apis.offer(ApiKeys.PRODUCE, new ProduceHandler(topics))
        .offer(ApiKeys.FETCH, fetch)
        .offer(ApiKeys.LIST_OFFSETS, new ListOffsetsHandler(topics, diskWork))
        .offer(ApiKeys.DELETE_RECORDS, new DeleteRecordsHandler(topics, diskWork))
        .offer(ApiKeys.INIT_PRODUCER_ID, new InitProducerIdHandler(topics))
        .offer(ApiKeys.OFFSET_FOR_LEADER_EPOCH, new OffsetForLeaderEpochHandler(topics));
    return new DataApis(fetch);
  }

  /** Answers the fetches that wait; none waits from now on. */
  @Override
  public void close() {
    fetch.close();
  }
}
