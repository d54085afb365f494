package io.tidelog.handler;

import io.tidelog.log.EpochEnd;
import io.tidelog.log.LogSlice;
import io.tidelog.log.LogView;
import io.tidelog.log.PartitionLog;
import io.tidelog.log.ReadUpTo;
import io.tidelog.protocol.SliceRecords;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.EpochEndOffset;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchResponse;

/**
 * One walk over the partitions of a fetch, in their order, until its byte limit is spent. The first
 * partition that has data gives one whole batch whatever its size; after that, only whole batches
 * that fit. In a session, partitions that have nothing new cost nothing and are left out. The
 * slices must be handed on with {@link #answer} or let go by {@link #discard}.
 */
final class FetchPass {
  private final Fetch fetch;
  private final FetchAnswer answer;
  private int bytes;
  private boolean urgent;

  private FetchPass(Fetch fetch) {
    this.fetch = fetch;
    this.answer = new FetchAnswer(fetch);
  }

  /** Reads from every partition that may have something. */
  static FetchPass over(Fetch fetch) {
    FetchPass pass = new FetchPass(fetch);
    fetch.partitions().visit(pass::visit);
    return pass;
  }

  /** As {@link #over}; the fetch that waits hears from now on when a log moves. */
  static FetchPass watching(Fetch fetch) {
    FetchPass pass = new FetchPass(fetch);
    fetch.partitions().visitAndWatch(pass::visit);
    return pass;
  }

  /** Whether the answer should leave now: it has enough bytes or something to tell. */
  boolean suffices() {
    return urgent || bytes >= fetch.minBytes();
  }

  /** The answer, which is given: the client knows it from now on. */
  FetchResponseData answer() {
    return answer.give();
  }

  /** Lets the slices go, for an answer that will not be given. */
  void discard() {
    answer.discard();
  }

  private void visit(FetchedPartition partition) {
    if (partition.isQuiet() && fetch.scope() == FetchContext.Scope.CHANGED) {
      return;
    }
    partition.looking();
    Errors error = check(partition);
    if (error == Errors.NONE) {
      try {
        read(partition, partition.found().log());
        return;
      } catch (IOException | RuntimeException thrown) {
        error = fetch.around().errors().of(thrown, partition.found());
      }
    }
    fail(partition, error);
  }

  private Errors check(FetchedPartition partition) {
    int clientsEpoch = partition.asked().currentLeaderEpoch();
    FoundPartition found = partition.found().checkEpoch(clientsEpoch);
    if (!found.isUsable()) {
      return found.error();
    }
    if (fetch.isFromFollower()) {
      // There is one replica of everything, so nobody may fetch as another one.
      return clientsEpoch < 0 ? Errors.NOT_LEADER_OR_FOLLOWER : Errors.UNKNOWN_LEADER_EPOCH;
    }
    return found.log().isClosed() ? fetch.around().errors().ofClosedLog(found) : Errors.NONE;
  }

  private void read(FetchedPartition partition, PartitionLog log) throws IOException {
    LogView view = log.view();
    FetchPartition asked = partition.asked();
    long offset = asked.fetchOffset();
    if (offset < view.start() || offset > view.end()) {
      fail(partition, Errors.OFFSET_OUT_OF_RANGE);
      return;
    }
    EpochEndOffset diverging = asked.lastFetchedEpoch() < 0 ? null : divergence(asked, log);
    boolean hasRecords = diverging == null && offset < view.bound(fetch.bound());
    boolean isTold = fetch.scope() == FetchContext.Scope.ALL || !partition.isKnown(view);
    if (hasRecords || diverging != null || isTold) {
      partition.lookAgain();
      PartitionData data = describe(asked, view);
      if (hasRecords) {
        addRecords(data, slice(asked, log));
      }
      if (diverging != null) {
        urgent = true;
        data.setDivergingEpoch(diverging);
      }
      if (isTold || diverging != null || data.records().sizeInBytes() > 0) {
        answer.add(partition, data);
      }
    }
  }

  private PartitionData describe(FetchPartition asked, LogView view) {
    return new PartitionData()
        .setPartitionIndex(asked.partition())
        .setHighWatermark(view.highWatermark())
        .setLastStableOffset(view.stable())
        .setLogStartOffset(view.start())
        .setAbortedTransactions(fetch.bound() == ReadUpTo.LAST_STABLE_OFFSET ? List.of() : null)
        .setRecords(MemoryRecords.EMPTY);
  }

  private LogSlice slice(FetchPartition asked, PartitionLog log) throws IOException {
    int limit = Math.min(asked.partitionMaxBytes(), fetch.maxBytes() - bytes);
    if (bytes == 0) {
      return log.read(asked.fetchOffset(), Math.max(limit, 0), fetch.bound());
    }
    return limit <= 0 ? LogSlice.EMPTY : log.readWithin(asked.fetchOffset(), limit, fetch.bound());
  }

  private void addRecords(PartitionData data, LogSlice slice) {
    bytes += slice.sizeBytes();
    if (slice.sizeBytes() > 0) {
      data.setRecords(SliceRecords.of(slice));
    }
    if (!slice.aborted().isEmpty()) {
      data.setAbortedTransactions(slice.aborted().stream().map(FetchPass::asToldOf).toList());
    }
  }

  private static AbortedTransaction asToldOf(io.tidelog.segment.AbortedTransaction aborted) {
    return new AbortedTransaction()
        .setProducerId(aborted.producerId())
        .setFirstOffset(aborted.firstOffset());
  }

  /**
   * Where the reader's history and ours part, if it has followed another one: then it is told that,
   * instead of getting records.
   */
  private static EpochEndOffset divergence(FetchPartition asked, PartitionLog log) {
    EpochEnd end = log.endOfEpoch(asked.lastFetchedEpoch());
    if (end.equals(EpochEnd.UNKNOWN)) {
      throw Errors.OFFSET_OUT_OF_RANGE.exception();
    }
    boolean isShared =
        end.epoch() == asked.lastFetchedEpoch() && end.endOffset() >= asked.fetchOffset();
    return isShared
        ? null
        : new EpochEndOffset().setEpoch(end.epoch()).setEndOffset(end.endOffset());
  }

  private void fail(FetchedPartition partition, Errors error) {
    urgent = true;
    partition.lookAgain();
    PartitionData data = FetchResponse.partitionResponse(partition.asked().partition(), error);
    if (partition.found().partition() != null) {
      data.setAbortedTransactions(null); // as Kafka tells of a partition that it knows
    }
    answer.add(partition, data);
  }
}
