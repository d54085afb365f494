package io.tidelog.recovery;

import io.tidelog.log.LeaderEpochs;
import io.tidelog.log.LogSettings;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.Rescanned;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads segments again, from the one that holds an offset on: indexes and epochs are made anew from
 * the sound batches, wherever they lie. Damage stays where it is. Only what follows the very last
 * sound batch is for somebody else to judge.
 */
final class SegmentRecovery {
  private final LogSettings settings;
  private final KnownState known;
  private final LeaderEpochs epochs;
  private final TxnIndexRecovery aborted;

  SegmentRecovery(
      LogSettings settings, KnownState known, LeaderEpochs epochs, TxnIndexRecovery aborted) {
    this.settings = settings;
    this.known = known;
    this.epochs = epochs;
    this.aborted = aborted;
  }

  /**
   * What was read.
   *
   * @param first the index of the first segment that was read
   * @param found what was found in it and those after it
   */
  record Outcome(int first, List<Rescanned> found) {
    Rescanned last() {
      return found.get(found.size() - 1);
    }

    Outcome withoutLast() {
      return new Outcome(first, found.subList(0, found.size() - 1));
    }
  }

  /**
   * Reads them.
   *
   * @param durableTo batches below this offset were durable: their headers tell
   */
  Outcome read(List<Segment> segments, long durableTo) throws IOException {
    int first = segments.size() - 1;
    while (first > 0 && segments.get(first).baseOffset() > durableTo) {
      first--;
    }
    epochs.truncateTo(segments.get(first).baseOffset());
    List<Rescanned> found = new ArrayList<>();
    for (int i = first; i < segments.size() - 1; i++) {
      found.add(readClosed(segments.get(i), segments.get(i + 1).baseOffset(), durableTo));
    }
    found.add(readLast(segments.get(segments.size() - 1), durableTo));
    return new Outcome(first, found);
  }

  private Rescanned readClosed(Segment segment, long end, long durableTo) throws IOException {
    Rescanned found = segment.recover(end, durableTo, this::seen);
    found.tail().map(tail -> tail.endingAt(end)).ifPresent(segment.batches()::keep);
    segment.seal();
    return found;
  }

  /** Nothing tells whether its last batch has the right offset, but what comes before it. */
  private Rescanned readLast(Segment segment, long durableTo) throws IOException {
    Rescanned found = segment.recover(LogPart.OPEN, durableTo, this::seen);
    return isMisplaced(found)
        ? segment.recover(found.nextOffset() - 1, durableTo, this::seen)
        : found;
  }

  /**
   * Whether the last batch would be in its place without the gap before it. Appends leave no gap,
   * and compaction leaves the last segment alone, but that may have been closed then.
   */
  private boolean isMisplaced(Rescanned found) {
    return found.gap() > 0
        && (known.stop() == KnownState.Stop.CLEAN
            ? found.nextOffset() - found.gap() == known.recoveryPoint()
            : !settings.compacts());
  }

  private void seen(RecordBatch batch) {
    epochs.note(batch.leaderEpoch(), batch.baseOffset());
    aborted.seen(batch);
  }

  /** The first damage in a segment that was read, what follows its last sound batch included. */
  static DamagedStretch firstDamage(Segment segment, Rescanned found) {
    return segment.batches().damage().stream()
        .reduce((one, other) -> one.part().from() < other.part().from() ? one : other)
        .or(found::tail)
        .orElse(null);
  }
}
