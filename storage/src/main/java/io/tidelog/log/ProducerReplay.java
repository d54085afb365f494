package io.tidelog.log;

import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.Extent;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Takes in the batches of one segment again. A damaged stretch may have held the marker that ended
 * a transaction. The segment's {@code .txnindex} tells of those that were aborted there. Where it
 * may lack some, every transaction that was open before the stretch counts as aborted by it, for
 * nothing that was aborted may ever be shown; where it is complete they stay open until their next
 * marker.
 */
final class ProducerReplay {
  private final LogProducers producers;
  private final Segment segment;
  private final Extent extent;

  ProducerReplay(LogProducers producers, Segment segment, Extent extent) {
    this.producers = producers;
    this.segment = segment;
    this.extent = extent;
  }

  /**
   * Takes in the batches from the one that holds an offset on.
   *
   * @param indexedTo of the markers below this offset the segment's index has all that abort
   * @param sink told of the transactions that were aborted here
   */
  void run(long from, long indexedTo, Consumer<AbortedTransaction> sink) throws IOException {
    List<DamagedStretch> met = new ArrayList<>(0);
    SoundWalk walk = segment.batches().walkFrom(from, extent, met::add);
    long next = from;
    boolean isBatch;
    do {
      isBatch = walk.next();
      for (DamagedStretch stretch : met) {
        passOver(stretch.part(), indexedTo, sink);
        next = stretch.part().endOffset();
      }
      met.clear();
      if (isBatch && walk.batch().hasProducerId()) {
        producers
            .apply(walk.batch().isControl() ? walk.soundBatch() : walk.batch())
            .ifPresent(sink);
      }
      next = isBatch ? walk.batch().nextOffset() : next;
    } while (isBatch);
    if (extent.endOffset() != LogPart.OPEN && next < extent.endOffset()) {
      passGap(next, sink);
    }
  }

  /** Where markers lay that are gone without a trace in the log the index alone tells of them. */
  private void passGap(long from, Consumer<AbortedTransaction> sink) throws IOException {
    List<AbortedTransaction> indexed = new ArrayList<>(0);
    readIndex(from, extent.endOffset(), indexed);
    take(indexed, sink);
  }

  private void take(List<AbortedTransaction> indexed, Consumer<AbortedTransaction> sink) {
    for (AbortedTransaction aborted : indexed) {
      producers.states().endWithoutMarker(aborted.producerId(), aborted.lastOffset());
      sink.accept(aborted);
    }
  }

  private void passOver(LogPart lost, long indexedTo, Consumer<AbortedTransaction> sink)
      throws IOException {
    if (lost.firstOffset() >= lost.endOffset() || lost.endOffset() == LogPart.OPEN) {
      return;
    }
    List<AbortedTransaction> indexed = new ArrayList<>();
    boolean isComplete =
        readIndex(lost.firstOffset(), lost.endOffset(), indexed) && lost.endOffset() <= indexedTo;
    take(indexed, sink);
    if (isComplete) {
      return;
    }
    producers.abortOpen(lost.endOffset(), sink);
  }

  /** What the index says of markers between two offsets; whether it can be trusted. */
  private boolean readIndex(long from, long to, List<AbortedTransaction> found) throws IOException {
    try {
      segment.aborted().check(segment.baseOffset(), extent.endOffset());
      segment.aborted().collectEndedIn(from, to, found);
      return true;
    } catch (CorruptLogException damaged) {
      return false;
    }
  }
}
