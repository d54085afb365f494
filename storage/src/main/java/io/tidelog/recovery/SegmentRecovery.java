package io.tidelog.recovery;

import io.tidelog.log.LeaderEpochs;
import io.tidelog.log.LogSettings;
import io.tidelog.record.RecordBatch;
import io.tidelog.segment.DamagedStretch;
import io.tidelog.segment.LogPart;
import io.tidelog.segment.Rescanned;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentBatches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads segments again, from one on: indexes and epochs are made anew from the sound batches,
 * wherever they lie. Damage stays where it is. Only what follows the very last sound batch is for
 * somebody else to judge.
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

    /** What was found in the first few. */
    Outcome first(int count) {
      return new Outcome(first, found.subList(0, count));
    }

    Outcome with(Rescanned last) {
      List<Rescanned> all = new ArrayList<>(found);
      all.add(last);
      return new Outcome(first, all);
    }
  }

  /**
   * Reads them.
   *
   * @param first the index of the first that is read
   * @param durableTo batches below this offset were durable: their headers tell
   */
  Outcome read(List<Segment> segments, int first, long durableTo) throws IOException {
    // Below the recovery point the epochs are on disk, and compaction may have taken their batches.
    epochs.truncateTo(Math.max(segments.get(first).baseOffset(), known.recoveryPoint()));
    List<Rescanned> found = new ArrayList<>();
    for (int i = first; i < segments.size() - 1; i++) {
      found.add(readClosed(segments.get(i), segments.get(i + 1).baseOffset(), durableTo));
    }
    found.add(readLast(segments.get(segments.size() - 1), durableTo));
    return new Outcome(first, found);
  }

  private Rescanned readClosed(Segment segment, long end, long durableTo) throws IOException {
    Rescanned found = segment.recover(end, durableTo, this::seen);
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
   * but where a log was cut below its start; and compaction leaves the last segment alone, but that
   * may have been closed then.
   */
  private boolean isMisplaced(Rescanned found) {
    long gap = found.last().gap();
    return gap > 0
        && found.last().baseOffset() > known.start()
        && (known.stop() == KnownState.Stop.CLEAN
            ? found.nextOffset() - gap == known.recoveryPoint()
            : !settings.compacts());
  }

  private void seen(RecordBatch batch) {
    if (batch.leaderEpoch() != epochs.at(batch.baseOffset())) {
      epochs.note(batch.leaderEpoch(), batch.baseOffset());
    }
    aborted.seen(batch);
  }

  /** The first damage in a segment at or after an offset, or null. */
  static DamagedStretch firstDamage(Rescanned found, long fromOffset) {
    return Stream.concat(found.damage().stream(), found.tail().stream())
        .filter(each -> each.part().firstOffset() >= fromOffset)
        .findFirst()
        .orElse(null);
  }

  /**
   * Remembers the damage that stays where it is, and tells of it; of the last segment not its tail.
   */
  static void keepDamage(List<Segment> segments, Outcome outcome) {
    for (int i = 0; i < outcome.found().size(); i++) {
      int index = outcome.first() + i;
      SegmentBatches batches = segments.get(index).batches();
      outcome.found().get(i).damage().forEach(batches::keep);
      if (index + 1 < segments.size()) {
        long end = segments.get(index + 1).baseOffset();
        outcome.found().get(i).tail().map(tail -> tail.endingAt(end)).ifPresent(batches::keep);
      }
    }
  }
}
