package io.tidelog.recovery;

import io.tidelog.log.LogProducers;
import io.tidelog.producer.OffsetRange;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Makes the {@code .txnindex} of segments that were read again anew, and checks those of the
 * others; a wrong one is made anew too. Nothing is read again where no transaction ever ended.
 */
final class TxnIndexRecovery {
  private final LogProducers producers;
  private final Consumer<String> repairs;
  private final NavigableSet<Long> unchecked = new TreeSet<>();
  private boolean sawMarker;

  /**
   * @param producers those of the log, which are not restored yet
   * @param repairs told of wrong indexes
   */
  TxnIndexRecovery(LogProducers producers, Consumer<String> repairs) {
    this.producers = producers;
    this.repairs = repairs;
  }

  /** The segment with this base offset has an index. */
  void found(long baseOffset) {
    unchecked.add(baseOffset);
  }

  /** A batch of a segment that is read again. */
  void seen(RecordBatch batch) {
    sawMarker |= batch.isControl() && batch.hasProducerId();
  }

  /**
   * Makes the indexes of the segments from one on anew, after all their batches were seen.
   *
   * @param log its durable end, up to where the indexes were durable too, and its end
   */
  void rebuild(List<Segment> segments, int first, OffsetRange log) throws IOException {
    long from = segments.get(first).baseOffset();
    NavigableSet<Long> stale = unchecked.tailSet(from, true);
    if (sawMarker || !stale.isEmpty()) {
      LogProducers then = producers.before(from, segments.subList(0, first));
      for (int i = first; i < segments.size(); i++) {
        Segment segment = segments.get(i);
        long end = endOf(segments, i, log.end());
        segment.aborted().replace(sink -> then.replay(segment, end, log.start(), sink));
      }
    }
    segments.subList(first, segments.size()).forEach(segment -> segment.aborted().checked());
    stale.clear();
  }

  /** Checks those that were not made anew. */
  void check(List<Segment> segments, long end) throws IOException {
    for (int i = 0; i < segments.size() && !unchecked.isEmpty(); i++) {
      Segment segment = segments.get(i);
      long next = endOf(segments, i, end);
      if (unchecked.remove(segment.baseOffset())) {
        check(segment, next, segments.subList(0, i));
      }
    }
  }

  private static long endOf(List<Segment> segments, int index, long end) {
    return index + 1 < segments.size() ? segments.get(index + 1).baseOffset() : end;
  }

  private void check(Segment segment, long end, List<Segment> earlier) throws IOException {
    try {
      segment.aborted().check(segment.baseOffset(), end);
    } catch (CorruptLogException damage) {
      LogProducers then = producers.before(segment.baseOffset(), earlier);
      segment.aborted().replace(sink -> then.replay(segment, end, 0, sink));
      repairs.accept(
          damage.getMessage()
              + "; the aborted transactions of this segment were found again in its log");
    }
  }
}
