package io.tidelog.store;

import io.tidelog.log.OffsetAtTime;
import io.tidelog.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a log is, in the simplest words: a list of batches, of which some are durable. */
final class ModelLog {
  private final List<Batch> batches = new ArrayList<>();
  private long start;
  private long end;
  private long durableEnd;

  /**
   * A batch as it was appended.
   *
   * @param producerId or -1
   * @param firstSequence or -1
   */
  record Batch(
      long baseOffset, int epoch, long producerId, int firstSequence, List<Lab.Entry> entries) {
    long endOffset() {
      return baseOffset + entries.size();
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
    batches.add(
        new Batch(end, epoch, header.producerId(), header.baseSequence(), List.copyOf(entries)));
    end += entries.size();
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
      batches.removeIf(batch -> batch.endOffset() > offset);
      end = batches.isEmpty() ? 0 : batches.get(batches.size() - 1).endOffset();
      end = Math.max(end, start);
      durableEnd = Math.min(durableEnd, end);
    }
  }

  /** Whether a crash may leave a log that ends here. */
  boolean mayEndAt(long offset) {
    boolean isBoundary =
        offset == start || batches.stream().anyMatch(batch -> batch.endOffset() == offset);
    return isBoundary && offset >= durableEnd && offset <= end;
  }

  /** The records from the start offset on. */
  List<Lab.Entry> entries() {
    return batches.stream()
        .flatMap(batch -> batch.entries.stream())
        .filter(entry -> entry.offset() >= start)
        .toList();
  }

  /** The batch that holds an offset. */
  Batch at(long offset) {
    return batches.stream().filter(batch -> batch.endOffset() > offset).findFirst().orElseThrow();
  }

  /** The last batch of a producer, if it must be remembered: that is, if it is still in the log. */
  Optional<Batch> rememberedOf(long producerId) {
    return lastOf(producerId).filter(batch -> batch.baseOffset >= start);
  }

  /** The last batch of a producer, which may be forgotten. */
  Optional<Batch> lastOf(long producerId) {
    return batches.stream()
        .filter(batch -> batch.producerId == producerId)
        .reduce((earlier, later) -> later);
  }

  OffsetAtTime atTime(long timestampMs) {
    return entries().stream()
        .filter(entry -> entry.timestampMs() >= timestampMs)
        .findFirst()
        .map(e -> new OffsetAtTime(e.offset(), e.timestampMs(), at(e.offset()).epoch))
        .orElse(OffsetAtTime.NONE);
  }

  OffsetAtTime latest() {
    return entries().stream().mapToLong(Lab.Entry::timestampMs).max().stream()
        .mapToObj(this::atTime)
        .findFirst()
        .orElse(OffsetAtTime.NONE);
  }
}
