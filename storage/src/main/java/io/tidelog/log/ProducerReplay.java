package io.tidelog.log;

import io.tidelog.producer.EndedTransaction;
import io.tidelog.producer.ProducerStates;
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
import java.util.Optional;
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
    boolean isBatch;
    do {
      isBatch = walk.next();
      for (DamagedStretch stretch : met) {
        passOver(stretch.part(), indexedTo, sink);
      }
      met.clear();
      if (isBatch && walk.batch().hasProducerId()) {
        producers
            .apply(walk.batch().isControl() ? walk.soundBatch() : walk.batch())
            .ifPresent(sink);
      }
    } while (isBatch);
  }

  private void passOver(LogPart lost, long indexedTo, Consumer<AbortedTransaction> sink)
      throws IOException {
    if (lost.firstOffset() >= lost.endOffset() || lost.endOffset() == LogPart.OPEN) {
      return;
    }
    ProducerStates states = producers.states();
    List<AbortedTransaction> indexed = new ArrayList<>();
    boolean isComplete = readIndex(lost, indexed) && lost.endOffset() <= indexedTo;
    for (AbortedTransaction aborted : indexed) {
      states.endWithoutMarker(aborted.producerId(), aborted.lastOffset());
      sink.accept(aborted);
    }
    if (isComplete) {
      return;
    }
    List<Long> open = states.inTransaction();
    long marker = lost.endOffset() - open.size();
    for (long producerId : open) {
      Optional<EndedTransaction> ended = states.endWithoutMarker(producerId, marker);
      ended.map(LogProducers::aborted).ifPresent(sink);
      marker++;
    }
  }

  /** What the index says of markers in a stretch; whether it can be trusted. */
  private boolean readIndex(LogPart lost, List<AbortedTransaction> found) throws IOException {
    try {
      segment.aborted().check(segment.baseOffset(), extent.endOffset());
      segment.aborted().collectEndedIn(lost.firstOffset(), lost.endOffset(), found);
      return true;
    } catch (CorruptLogException damaged) {
      return false;
    }
  }
}
