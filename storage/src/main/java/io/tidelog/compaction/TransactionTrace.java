package io.tidelog.compaction;

import io.tidelog.record.ControlType;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.AbortedTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;

/**
 * Follows the transactions of a log batch by batch: which batches were aborted, and which markers
 * end a transaction of which nothing is left. For one thread.
 */
final class TransactionTrace {
  private final Queue<AbortedTransaction> ahead =
      new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));
  private final Map<Long, Aborted> aborted = new HashMap<>();
  private final Set<Long> committed = new HashSet<>();
  private final List<AbortedTransaction> ended = new ArrayList<>();

  /** An aborted transaction that has begun. */
  private static final class Aborted {
    private final AbortedTransaction transaction;
    private boolean hasBatches;

    Aborted(AbortedTransaction transaction) {
      this.transaction = transaction;
    }
  }

  /** Tells of transactions before their first batch is shown; to tell of one again is no harm. */
  void expect(List<AbortedTransaction> transactions) {
    ahead.addAll(transactions);
  }

  /** The next data batch; whether it was aborted. */
  boolean isAborted(RecordBatch batch) {
    beginUpTo(batch.lastOffset());
    if (!batch.isTransactional()) {
      return false;
    }
    Aborted transaction = aborted.get(batch.producerId());
    if (transaction == null) {
      committed.add(batch.producerId());
      return false;
    }
    transaction.hasBatches = true;
    return true;
  }

  /**
   * The next control batch; whether it ends a transaction of which no batch was shown, so that
   * nobody needs it.
   *
   * @param type of its record; null if that is gone already
   */
  boolean isOfNothing(RecordBatch batch, ControlType type) {
    beginUpTo(batch.lastOffset());
    if (type == null) {
      return true;
    }
    return switch (type) {
      case ABORT -> !endsAborted(batch.producerId());
      case COMMIT -> !committed.remove(batch.producerId());
      case LEADER_CHANGE, SNAPSHOT_HEADER, SNAPSHOT_FOOTER, KRAFT_VERSION, KRAFT_VOTERS, UNKNOWN ->
          false;
    };
  }

  private boolean endsAborted(long producerId) {
    Aborted transaction = aborted.remove(producerId);
    if (transaction == null || !transaction.hasBatches) {
      return false;
    }
    ended.add(transaction.transaction);
    return true;
  }

  private void beginUpTo(long offset) {
    while (!ahead.isEmpty() && ahead.peek().firstOffset() <= offset) {
      AbortedTransaction transaction = ahead.remove();
      aborted.putIfAbsent(transaction.producerId(), new Aborted(transaction));
    }
  }

  /** The aborted transactions whose markers were shown and are kept since the last call. */
  List<AbortedTransaction> takeEnded() {
    List<AbortedTransaction> taken = List.copyOf(ended);
    ended.clear();
    return taken;
  }
}
