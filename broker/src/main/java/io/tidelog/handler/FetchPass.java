package io.tidelog.handler;

import io.tidelog.log.EpochEnd;
import io.tidelog.log.LogSlice;
import io.tidelog.log.LogView;
import io.tidelog.log.PartitionLog;
import io.tidelog.protocol.AnswerEncoder;
import io.tidelog.protocol.SliceRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchResponse;

/**
 * One walk over the partitions of a fetch, in the order of the request, until its byte limit is
 * spent. The first partition that has data gives one whole batch whatever its size; after that,
 * only whole batches that fit. The slices in {@link #body} must be handed on with the answer or let
 * go by {@link #discard}.
 */
final class FetchPass {
  private static final short LAST_VERSION_WITHOUT_STORAGE_ERROR = 5;

  private final Fetch fetch;
  private final FetchResponseData body = new FetchResponseData();
  private int bytes;
  private boolean urgent;

  private FetchPass(Fetch fetch) {
    this.fetch = fetch;
  }

  /** Reads from every partition. */
  static FetchPass over(Fetch fetch) {
    FetchPass pass = new FetchPass(fetch);
    for (Fetch.FromTopic topic : fetch.topics()) {
      List<PartitionData> partitions = new ArrayList<>(topic.parts().size());
      pass.body
          .responses()
          .add(
              new FetchableTopicResponse()
                  .setTopic(topic.asked().topic())
                  .setTopicId(topic.asked().topicId())
                  .setPartitions(partitions));
      for (Fetch.Part part : topic.parts()) {
        partitions.add(pass.read(part));
      }
    }
    return pass;
  }

  /** Whether the answer should leave now: it has enough bytes or something to tell. */
  boolean suffices() {
    return urgent || bytes >= fetch.minBytes();
  }

  /** The answer. */
  FetchResponseData body() {
    return body;
  }

  /** Lets the slices go, for an answer that will not be given. */
  void discard() {
    AnswerEncoder.discard(body);
  }

  private PartitionData read(Fetch.Part part) {
    Found found = part.found();
    if (!found.isUsable()) {
      return failed(part, found.error());
    }
    if (found.log().isClosed()) {
      return failed(part, fetch.errors().ofClosedLog(found));
    }
    try {
      return read(part.asked(), found.log());
    } catch (IOException | RuntimeException thrown) {
      return failed(part, fetch.errors().of(thrown, found));
    }
  }

  private PartitionData read(FetchPartition asked, PartitionLog log) throws IOException {
    LogView view = log.view();
    PartitionData data = answer(asked, view);
    long offset = asked.fetchOffset();
    boolean inRange = view.start() <= offset && offset <= view.end();
    if (inRange && asked.lastFetchedEpoch() >= 0 && diverges(asked, log, data)) {
      urgent = true;
    } else if (!inRange) {
      urgent = true;
      return FetchResponse.partitionResponse(asked.partition(), Errors.OFFSET_OUT_OF_RANGE);
    } else if (offset < view.bound(fetch.bound())) {
      data.setRecords(slice(asked, log));
    }
    return data;
  }

  private PartitionData answer(FetchPartition asked, LogView view) {
    return new PartitionData()
        .setPartitionIndex(asked.partition())
        .setHighWatermark(view.highWatermark())
        .setLastStableOffset(view.stable())
        .setLogStartOffset(view.start())
        .setAbortedTransactions(fetch.isReadCommitted() ? List.of() : null)
        .setRecords(MemoryRecords.EMPTY);
  }

  private BaseRecords slice(FetchPartition asked, PartitionLog log) throws IOException {
    int limit = Math.min(asked.partitionMaxBytes(), fetch.maxBytes() - bytes);
    if (bytes > 0 && limit <= 0) {
      return MemoryRecords.EMPTY;
    }
    LogSlice slice =
        bytes == 0
            ? log.read(asked.fetchOffset(), Math.max(limit, 0), fetch.bound())
            : log.readWithin(asked.fetchOffset(), limit, fetch.bound());
    bytes += slice.sizeBytes();
    return slice.sizeBytes() == 0 ? MemoryRecords.EMPTY : SliceRecords.of(slice);
  }

  /**
   * Whether the reader has followed another history than ours: then it is told where the two part,
   * instead of getting records.
   */
  private static boolean diverges(FetchPartition asked, PartitionLog log, PartitionData data) {
    EpochEnd end = log.endOfEpoch(asked.lastFetchedEpoch());
    if (end.equals(EpochEnd.UNKNOWN)) {
      throw Errors.OFFSET_OUT_OF_RANGE.exception();
    }
    if (end.epoch() == asked.lastFetchedEpoch() && end.endOffset() >= asked.fetchOffset()) {
      return false;
    }
    data.setDivergingEpoch(
        new EpochEndOffset().setEpoch(end.epoch()).setEndOffset(end.endOffset()));
    return true;
  }

  private PartitionData failed(Fetch.Part part, Errors error) {
    urgent = true;
    boolean tooNew =
        error == Errors.KAFKA_STORAGE_ERROR
            && fetch.version() <= LAST_VERSION_WITHOUT_STORAGE_ERROR;
    return FetchResponse.partitionResponse(
        part.asked().partition(), tooNew ? Errors.NOT_LEADER_OR_FOLLOWER : error);
  }
}
