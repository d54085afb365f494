package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a log is, in the simplest words: a list of batches, of which some are durable. */
final class ModelLog {
  private final List<Batch> batches = new ArrayList<>();
  private final Compacted compacted = new Compacted();
  private long start;
  private long end;
  private long durableEnd;
  private boolean hasForgotten;

  /**
   * A batch as it was appended.
   *
   * @param epoch of the leader that wrote it
   * @param producerId or -1
   * @param firstSequence or -1
   * @param entries its records; none of a marker
   * @param transaction the producer of the transaction that it is in or ends; -1 if none
   * @param outcome of the transaction that it ends; null if none
   */
  record Batch(
      long baseOffset,
      int epoch,
      long producerId,
      int firstSequence,
      List<Lab.Entry> entries,
      long transaction,
      Outcome outcome) {
    long endOffset() {
      return baseOffset + Math.max(1, entries.size());
    }

    boolean isMarker() {
      return outcome != null;
    }
  }

  /** A transaction, as far as it has come. */
  private static final class Transaction {
    private final List<Batch> parts = new ArrayList<>();
    private Batch marker;

    private boolean isDecidedBelow(long offset) {
      return marker != null && marker.baseOffset < offset;
    }
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  /** Adds a batch at the end, numbered. */
  void append(ByteBuffer numbered, int epoch) {
    RecordBatch header = RecordBatch.at(numbered, 0);
    List<Lab.Entry> entries = new ArrayList<>();
    Lab.addEntries(numbered, 0, entries);
    add(
        new Batch(
            end,
            epoch,
            header.producerId(),
            header.baseSequence(),
            List.copyOf(entries),
            header.isTransactional() ? header.producerId() : RecordBatch.NO_PRODUCER_ID,
            null));
  }

  /** Adds the marker that ends a producer's transaction. */
  void end(long producer, Outcome outcome, int epoch) {
    add(new Batch(end, epoch, producer, RecordBatch.NO_SEQUENCE, List.of(), producer, outcome));
  }

  private void add(Batch batch) {
    batches.add(batch);
    end = batch.endOffset();
  }

  /** All below an offset survives a crash from here on. */
  void durableTo(long offset) {
    durableEnd = Math.max(durableEnd, offset);
  }

  void advanceStart(long offset) {
    start = Math.max(start, offset);
  }

  /** Cuts at the batch boundary at or before an offset. */
  void truncateTo(long offset) {
    if (offset < end) {
      forgetCompactedBatches();
      batches.removeIf(batch -> batch.endOffset() > offset);
      compacted.truncateTo(batches.isEmpty() ? 0 : batches.get(batches.size() - 1).endOffset());
      end = batches.isEmpty() ? 0 : batches.get(batches.size() - 1).endOffset();
      end = Math.max(end, start);
      durableEnd = Math.min(durableEnd, end);
    }
  }

  /** From here on a producer of which compaction left nothing may be known by an earlier batch. */
  void forgetCompactedBatches() {
    hasForgotten = true;
  }

  /** What was durable is so no longer: a cut takes the recovery point back. */
  void nothingIsDurable() {
    durableEnd = 0;
  }

  /** Where the markers stand that a crash may take. */
  List<Long> doubtfulMarkers() {
    return batches.stream()
        .filter(batch -> batch.isMarker() && batch.baseOffset >= durableEnd)
        .map(Batch::baseOffset)
        .toList();
  }

  /** Whether a crash may leave a log that ends here. */
  boolean mayEndAt(long offset) {
    boolean isBoundary =
        offset == start || batches.stream().anyMatch(batch -> batch.endOffset() == offset);
    return isBoundary && offset >= durableEnd && offset <= end;
  }

  /**
   * Whether a crash may leave a log that starts here: of what was not durable, later segments may
   * be on the disk and earlier ones not.
   */
  boolean mayStartAt(long offset) {
    return offset == start
        || (offset > start
            && durableEnd <= start
            && batches.stream().anyMatch(batch -> batch.baseOffset == offset));
  }

  /** The records from the start offset on, without markers. */
  List<Lab.Entry> entries() {
    return batches.stream().flatMap(batch -> batch.entries.stream()).filter(this::isThere).toList();
  }

  private boolean isThere(Lab.Entry entry) {
    return entry.offset() >= start && !compacted.isGone(entry.offset());
  }

  /** The batch that holds an offset. */
  Batch at(long offset) {
    return batches.stream().filter(batch -> batch.endOffset() > offset).findFirst().orElseThrow();
  }

  /**
   * The last batch of a producer, if it must be remembered: that is, if it is still in the log.
   * Compaction leaves the last one, empty; but not those that are last once the log was cut.
   */
  Optional<Batch> rememberedOf(long producerId) {
    return lastOf(producerId)
        .filter(batch -> batch.baseOffset >= start)
        .filter(batch -> !hasForgotten || batch.entries.stream().anyMatch(this::isThere));
  }

  /** Whether the log may know an earlier batch of a producer as its last one, as after a cut. */
  boolean mayRememberEarlier(long producerId) {
    return hasForgotten
        && lastOf(producerId)
            .filter(batch -> batch.entries.stream().noneMatch(this::isThere))
            .isPresent();
  }

  /** The last batch of a producer, which may be forgotten. */
  Optional<Batch> lastOf(long producerId) {
    return batches.stream()
        .filter(batch -> batch.producerId == producerId && !batch.isMarker())
        .reduce((earlier, later) -> later);
  }

  private List<Transaction> transactions() {
    Map<Long, Transaction> open = new HashMap<>();
    List<Transaction> all = new ArrayList<>();
    for (Batch batch : batches) {
      if (batch.transaction == RecordBatch.NO_PRODUCER_ID) {
        continue;
      }
      if (!batch.isMarker()) {
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
   * What the last stable offset may be. A part of a transaction of which all records were deleted
   * or compacted away may be remembered or not.
   */
  Set<Long> stable(long highWatermark) {
    long withAll = highWatermark;
    long withVisible = highWatermark;
    Set<Long> parts = new HashSet<>();
    for (Transaction transaction : transactions()) {
      if (!transaction.isDecidedBelow(highWatermark)) {
        transaction.parts.forEach(part -> parts.add(Math.max(start, part.baseOffset)));
        withAll = Math.min(withAll, Math.max(start, transaction.parts.get(0).baseOffset));
        withVisible = Math.min(withVisible, firstVisible(transaction).orElse(withVisible));
      }
    }
    long latest = withVisible;
    parts.removeIf(part -> part > latest);
    parts.addAll(List.of(withAll, withVisible));
    return parts;
  }

  private Optional<Long> firstVisible(Transaction transaction) {
    return transaction.parts.stream()
        .filter(part -> part.entries.stream().anyMatch(this::isThere))
        .map(part -> Math.max(start, part.baseOffset))
        .min(Long::compare);
  }

  /** After a crash: all that was durable is there, and nothing else than was written. */
  void agreesUpToDurable(List<Lab.Entry> found) {
    List<Lab.Entry> written = entries();
    assertThat(written).containsAll(found);
    assertThat(found)
        .containsAll(written.stream().filter(entry -> entry.offset() < durableEnd).toList());
  }

  /**
   * Compaction went over all below an offset.
   *
   * @param found the records that are there now
   */
  void compact(long below, List<Lab.Entry> found, long nowMs) {
    Set<Long> aborted = new HashSet<>();
    aborted().forEach(batch -> batch.entries.forEach(entry -> aborted.add(entry.offset())));
    compacted.upTo(below, entries(), aborted, nowMs).agreesWith(found);
  }

  /** The values from an offset on and below another, by offset. */
  Map<Long, String> values(long from, long to) {
    return values(from, to, Set.of());
  }

  /** The same without those of aborted transactions. */
  Map<Long, String> committed(long from, long to) {
    return values(from, to, aborted());
  }

  private Set<Batch> aborted() {
    Set<Batch> aborted = new HashSet<>();
    for (Transaction transaction : transactions()) {
      if (transaction.marker != null && transaction.marker.outcome == Outcome.ABORT) {
        aborted.addAll(transaction.parts);
      }
    }
    return aborted;
  }

  private Map<Long, String> values(long from, long to, Set<Batch> without) {
    Map<Long, String> values = new HashMap<>();
    for (Batch batch : batches) {
      for (Lab.Entry entry : without.contains(batch) ? List.<Lab.Entry>of() : batch.entries) {
        if (entry.offset() >= Math.max(from, start)
            && entry.offset() < to
            && !compacted.isGone(entry.offset())) {
          values.put(entry.offset(), entry.value());
        }
      }
    }
    return values;
  }
}
