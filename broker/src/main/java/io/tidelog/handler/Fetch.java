package io.tidelog.handler;

import io.tidelog.log.ReadUpTo;
import io.tidelog.topic.Topics;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.requests.FetchRequest;

/**
 * A Fetch request: its limits, and how it is answered. From first look to answer it belongs to one
 * event loop.
 */
final class Fetch {
  private final FetchRequest request;
  private final FetchContext context;
  private final FetchSurroundings around;

  Fetch(FetchRequest request, FetchContext context, FetchSurroundings around) {
    this.request = request;
    this.context = context;
    this.around = around;
  }

  /** Finds out where its partitions are. */
  void locate(Topics topics) {
    partitions().locate(topics, bound());
  }

  /** Reads what there is. */
  FetchPass read() {
    return FetchPass.over(this);
  }

  /** Reads what there is; the fetch that waits hears when there is more. */
  FetchPass readAndWatch() {
    return FetchPass.watching(this);
  }

  /** The answer with what was read. */
  FetchResponseData end(FetchPass pass) {
    return context.end(pass);
  }

  /** The request was abandoned: nobody waits for its answer. */
  void drop() {
    if (!(context instanceof FetchContext.Next)) {
      partitions().release();
    }
  }

  /** Whether there is nothing to read. */
  boolean isEmpty() {
    return partitions().count() == 0;
  }

  FetchedPartitions partitions() {
    return context.partitions();
  }

  FetchContext.Scope scope() {
    return context.scope();
  }

  /** Most bytes of records in the answer; 0 or less still allows the first batch. */
  int maxBytes() {
    return Math.min(request.maxBytes(), around.maxBytes());
  }

  /** The answer waits until there are this many bytes of records. */
  int minBytes() {
    return Math.min(data().minBytes(), maxBytes());
  }

  int maxWaitMs() {
    return data().maxWaitMs();
  }

  ReadUpTo bound() {
    return Isolation.bound(data().isolationLevel());
  }

  boolean isFromFollower() {
    return request.isFromFollower();
  }

  short version() {
    return request.version();
  }

  FetchSurroundings around() {
    return around;
  }

  private FetchRequestData data() {
    return request.data();
  }
}
