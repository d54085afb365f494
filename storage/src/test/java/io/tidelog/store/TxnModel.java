package io.tidelog.store;

import io.tidelog.producer.EndTransactionMarker.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A partition with transactions as simply as can be told: the list of its batches. */
final class TxnModel {
  private static final long NOBODY = -1;

  private final List<Batch> batches = new ArrayList<>();
  private long start;

  /**
   * A batch.
   *
   * @param values of its records
   * @param transaction the producer of the transaction that it is in or ends, else -1
   * @param outcome of the transaction that it ends, else null
   */
  record Batch(long baseOffset, List<String> values, long transaction, Outcome outcome) {
    long end() {
      return baseOffset + Math.max(1, values.size());
    }
  }

  /** A transaction, as far as it has come. */
  private static final class Transaction {
    private final List<Batch> parts = new ArrayList<>();
    private Batch marker;

    private boolean isCommittedBelow(long offset) {
      return marker != null && marker.baseOffset < offset;
    }
  }

  /** A crash may leave nothing but the start offset. */
  long end() {
    return batches.isEmpty() ? start : Math.max(start, batches.get(batches.size() - 1).end());
  }

  long start() {
    return start;
  }

  void add(List<String> values) {
    batches.add(new Batch(end(), values, NOBODY, null));
  }

  void addTo(long producer, List<String> values) {
    batches.add(new Batch(end(), values, producer, null));
  }

  void end(long producer, Outcome outcome) {
    batches.add(new Batch(end(), List.of(), producer, outcome));
  }

  void advanceStart(long offset) {
    start = Math.max(start, offset);
  }

  void truncateTo(long offset) {
    batches.removeIf(batch -> batch.end() > offset);
  }

  boolean mayEndAt(long offset) {
    return offset == start
        || offset == 0
        || batches.stream().anyMatch(batch -> batch.end() == offset);
  }

  private List<Transaction> transactions() {
    Map<Long, Transaction> open = new HashMap<>();
    List<Transaction> all = new ArrayList<>();
    for (Batch batch : batches) {
      if (batch.transaction == NOBODY) {
        continue;
      }
      if (batch.outcome == null) {
        open.computeIfAbsent(batch.transaction, unknown -> begun(all)).parts.add(batch);
      } else if (open.containsKey(batch.transaction)) {
        open.remove(batch.transaction).marker = batch;
      }
    }
    return all;
  }

  private static Transaction begun(List<Transaction> all) {
    all.add(new Transaction());
    return all.get(all.size() - 1);
  }

  /**
   * What the last stable offset may be. A transaction of which all records were deleted may be
   * remembered or not.
   */
  Set<Long> stable(long highWatermark) {
    long withAll = highWatermark;
    long withVisible = highWatermark;
    for (Transaction transaction : transactions()) {
      if (!transaction.isCommittedBelow(highWatermark)) {
        long first = Math.max(start, transaction.parts.get(0).baseOffset);
        withAll = Math.min(withAll, first);
        if (transaction.parts.stream().anyMatch(part -> part.end() > start)) {
          withVisible = Math.min(withVisible, firstVisible(transaction));
        }
      }
    }
    return new HashSet<>(List.of(withAll, withVisible));
  }

  private long firstVisible(Transaction transaction) {
    return transaction.parts.stream()
        .filter(part -> part.end() > start)
        .mapToLong(part -> Math.max(start, part.baseOffset))
        .min()
        .orElseThrow();
  }

  /** The records from an offset on and below another, by offset. */
  Map<Long, String> records(long from, long to) {
    return records(from, to, Set.of());
  }

  /** The same without those of aborted transactions. */
  Map<Long, String> committed(long from, long to) {
    Set<Batch> aborted = new HashSet<>();
    for (Transaction transaction : transactions()) {
      if (transaction.marker != null && transaction.marker.outcome == Outcome.ABORT) {
        aborted.addAll(transaction.parts);
      }
    }
    return records(from, to, aborted);
  }

  private Map<Long, String> records(long from, long to, Set<Batch> without) {
    Map<Long, String> records = new HashMap<>();
    for (Batch batch : batches) {
      for (int i = 0; i < batch.values.size() && !without.contains(batch); i++) {
        long offset = batch.baseOffset + i;
        if (offset >= Math.max(from, start) && offset < to) {
          records.put(offset, batch.values.get(i));
        }
      }
    }
    return records;
  }
}
