package io.tidelog.log;

import io.tidelog.producer.ProducerStates;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Compares the {@code .txnindex} of a segment that was found on disk with the markers in the log,
 * once, before the first read_committed read relies on it: a missing or damaged one would show
 * aborted records. Costs the headers of the segment's batches; nothing where the index is empty and
 * the producers' snapshot at its end shows that no transaction ended in the segment. It can show
 * that only if it was taken before the first of the segment's producers could be forgotten.
 */
final class AbortedCheck {
  private final LogWriter writer;
  private final LogSurroundings around;

  AbortedCheck(LogWriter writer, LogSurroundings around) {
    this.writer = writer;
    this.around = around;
  }

  /** Makes sure of the index of a segment. */
  void require(Segment segment) throws IOException {
    if (!segment.aborted().isChecked()) {
      alone(states -> checkAlone(segment, states));
    }
  }

  /** Makes the index of a segment anew, of which somebody has taken away what was written. */
  void makeAnew(Segment segment) throws IOException {
    alone(
        states -> {
          segment.aborted().lose();
          return checkAlone(segment, states);
        });
  }

  /** Nothing is appended, cut or replaced meanwhile. */
  private void alone(Function<ProducerStates, Void> work) throws IOException {
    try {
      writer.askProducers(work);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Void checkAlone(Segment segment, ProducerStates states) {
    LogView now = writer.view();
    int index = List.of(now.segments()).indexOf(segment);
    if (index >= 0 && !segment.aborted().isChecked()) {
      try {
        check(now, index, states);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return null;
  }

  private void check(LogView now, int index, ProducerStates states) throws IOException {
    Segment segment = now.segment(index);
    List<AbortedTransaction> found = found(segment);
    boolean mayHold = !found.isEmpty() || mayHoldMarkers(now, index, states);
    List<AbortedTransaction> told =
        mayHold ? withKnownBegins(replay(now, index), found, now) : List.of();
    if (mayHold && !isRight(found, told, segment.baseOffset())) {
      segment.aborted().replace(told::forEach);
      around
          .host()
          .repaired(
              "%s: found %d aborted transactions that the markers in the log do not tell as they are, expected %d; they were found again in its log"
                  .formatted(segment.aborted().path(), found.size(), told.size()));
    }
    segment.aborted().checked();
  }

  /**
   * A marker that is damaged ended a transaction, and without it the next one of its producer seems
   * to begin with that. Where the index has the same end and a later begin, behind damage, it knows
   * better.
   */
  private static List<AbortedTransaction> withKnownBegins(
      List<AbortedTransaction> told, List<AbortedTransaction> found, LogView now) {
    List<AbortedTransaction> known = new ArrayList<>(told);
    known.replaceAll(
        transaction ->
            found.stream()
                .filter(entry -> entry.producerId() == transaction.producerId())
                .filter(entry -> entry.lastOffset() == transaction.lastOffset())
                .filter(
                    entry -> isDamagedWithin(now, transaction.firstOffset(), entry.firstOffset()))
                .findFirst()
                .orElse(transaction));
    return known;
  }

  private static boolean isDamagedWithin(LogView now, long from, long to) {
    return List.of(now.segments()).stream()
        .flatMap(segment -> segment.batches().damage().stream())
        .anyMatch(lost -> lost.part().firstOffset() < to && lost.part().endOffset() > from);
  }

  /** What the index says; nothing if somebody has taken away what was written to it. */
  private static List<AbortedTransaction> found(Segment segment) throws IOException {
    try {
      return segment.aborted().all();
    } catch (CorruptLogException takenAway) {
      segment.aborted().lose();
      return List.of();
    }
  }

  /** Whether a transaction may have ended in the segment, as far as memory and snapshots know. */
  private boolean mayHoldMarkers(LogView now, int index, ProducerStates states) throws IOException {
    if (index + 1 == now.segmentCount()) {
      return LogProducers.knowsEnded(states.all())
          || mayHaveForgotten(now.segment(index), around.clock().millis());
    }
    OptionalLong takenMs = writer.producers().snapshotTakenMs(now.endOf(index));
    return takenMs.isEmpty()
        || mayHaveForgotten(now.segment(index), takenMs.getAsLong())
        || writer.producers().mayKnowEnded(now.endOf(index));
  }

  /**
   * Whether a producer with a batch or marker in the segment may have been forgotten by a time. The
   * first batch's timestamp may be a client's, and so far ahead of its append as the rules allow.
   */
  private boolean mayHaveForgotten(Segment segment, long byMs) throws IOException {
    LogSettings settings = writer.settings();
    return segment.firstTimestamp() - settings.timestampAfterMaxMs()
        <= settings.producerCutoffMs(byMs);
  }

  private List<AbortedTransaction> replay(LogView now, int index) throws IOException {
    Segment segment = now.segment(index);
    long end = now.endOf(index);
    List<Segment> earlier = List.of(now.segments()).subList(0, index);
    List<AbortedTransaction> told = new ArrayList<>();
    writer.producers().before(segment.baseOffset(), earlier).replay(segment, end, end, told::add);
    return told;
  }

  /**
   * Where compaction has taken batches away, or what came before the segment is not known, the
   * index may know more than the log tells.
   */
  private boolean isRight(
      List<AbortedTransaction> found, List<AbortedTransaction> told, long baseOffset) {
    if (!writer.settings().compacts() && writer.producers().knowsBefore(baseOffset)) {
      return found.equals(told);
    }
    return told.stream()
        .allMatch(expected -> found.stream().anyMatch(entry -> covers(entry, expected)));
  }

  private static boolean covers(AbortedTransaction entry, AbortedTransaction expected) {
    return entry.producerId() == expected.producerId()
        && entry.lastOffset() == expected.lastOffset()
        && entry.firstOffset() <= expected.firstOffset()
        && entry.lastStableOffset() <= expected.lastStableOffset();
  }
}
