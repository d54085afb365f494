package io.tidelog.recovery;

import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.recovery.SegmentRecovery.Outcome;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Rescanned;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds where a log ends, and sees to it that what comes next gets a fresh offset. What follows the
 * last sound batch is cut, with a copy unless it is an append that a crash has torn; but where
 * durable records are lost with it, it stays, and the log goes on behind them in a new segment.
 */
final class LogEnd {
  private final LogSurroundings around;
  private final LogSettings settings;
  private final KnownState known;
  private final SegmentRecovery recovery;
  private final SegmentRemoval removal;
  private final LossReport losses;

  LogEnd(
      LogSurroundings around,
      LogSettings settings,
      KnownState known,
      SegmentRecovery recovery,
      Removing removing) {
    this.around = around;
    this.settings = settings;
    this.known = known;
    this.recovery = recovery;
    this.removal = removing.removal;
    this.losses = removing.losses;
  }

  /**
   * How segments go, and who is told.
   *
   * @param removal takes segments away
   * @param losses told of records that are not there
   */
  record Removing(SegmentRemoval removal, LossReport losses) {}

  /**
   * A log whose segments were looked at.
   *
   * @param end where it ends
   * @param firstRead the index of the first segment that was read again, or as many as there are
   */
  record Found(long end, int firstRead) {}

  /**
   * After a clean stop: the headers after the last index entry tell, if they say what the stop has
   * noted. If not, the last segment is read again.
   */
  Found afterCleanStop(List<Segment> segments) throws IOException {
    Segment last = segments.get(segments.size() - 1);
    try {
      long end = last.batches().endByHeaders(last.sizeBytes());
      if (end == known.recoveryPoint() || (known.recoveryPoint() == 0 && last.sizeBytes() == 0)) {
        return new Found(end, segments.size());
      }
    } catch (CorruptLogException damage) {
      around
          .host()
          .repaired(damage.getMessage() + "; found after a clean stop, the segment is read again");
    }
    Outcome outcome = recovery.read(segments, segments.size() - 1, last.baseOffset());
    return settle(segments, outcome);
  }

  /**
   * After a crash: what may not have been durable is read again. The indexes of a segment are
   * durable once the recovery point has moved past its end, and not yet when it is there.
   */
  Outcome read(List<Segment> segments) throws IOException {
    int first = segments.size() - 1;
    while (first > 0 && segments.get(first).baseOffset() >= known.recoveryPoint()) {
      first--;
    }
    return recovery.read(segments, first, known.recoveryPoint());
  }

  /** The end of what is sound; compaction may have emptied what lies before a durable segment. */
  long soundEnd(List<Segment> segments, Outcome outcome) {
    long end = segments.get(outcome.first()).baseOffset();
    for (int i = 0; i < outcome.found().size(); i++) {
      Rescanned found = outcome.found().get(i);
      long base = segments.get(outcome.first() + i).baseOffset();
      if (found.goodBytes() > 0) {
        end = found.nextOffset();
      } else if (base <= known.recoveryPoint()) {
        end = base;
      }
    }
    return end;
  }

  /** Makes the last segment one that can be appended to. */
  Found settle(List<Segment> segments, Outcome read) throws IOException {
    Outcome outcome = withoutTornSegments(segments, read);
    SegmentRecovery.keepDamage(segments, outcome);
    Segment last = segments.get(segments.size() - 1);
    Rescanned found = outcome.last();
    if (found.nextOffset() >= known.recoveryPoint()) {
      if (found.tail().isPresent()) {
        cutTail(last, found);
      }
      return new Found(found.nextOffset(), outcome.first());
    }
    goOnBehind(segments, last, found);
    return new Found(known.recoveryPoint(), Math.min(outcome.first(), segments.size() - 1));
  }

  /**
   * After a crash the log may end before its last segments, none of which holds a sound batch. If
   * nothing of that was durable they go.
   */
  private Outcome withoutTornSegments(List<Segment> segments, Outcome read) throws IOException {
    Outcome outcome = read;
    long end = soundEnd(segments, read);
    while (outcome.found().size() > 1
        && outcome.last().goodBytes() == 0
        && segments.get(segments.size() - 1).baseOffset() > end
        && end >= known.recoveryPoint()) {
      Segment torn = segments.remove(segments.size() - 1);
      List<Path> copies = removal.keepCopy(torn, 0);
      removal.delete(torn);
      if (torn.sizeBytes() > 0) {
        around.host().repaired(torn + " holds no sound batch and was removed" + kept(copies));
      }
      outcome = outcome.first(outcome.found().size() - 1);
    }
    return outcome;
  }

  private void cutTail(Segment last, Rescanned found) throws IOException {
    List<Path> copies =
        known.stop() == KnownState.Stop.CLEAN
            ? removal.keepCopy(last, found.goodBytes())
            : removal.keepCopyUnlessTorn(last, found.goodBytes());
    int before = last.sizeBytes();
    last.cutTo(found.goodBytes());
    around
        .host()
        .repaired(
            "%s at byte %d: %s; the log was cut there from %d to %d bytes and ends at offset %d%s"
                .formatted(
                    last,
                    found.goodBytes(),
                    found.tail().orElseThrow().finding(),
                    before,
                    found.goodBytes(),
                    found.nextOffset(),
                    kept(copies)));
  }

  static String kept(List<Path> copies) {
    return copies.isEmpty() ? "" : "; what was cut is kept in " + copies;
  }

  /** Offsets that were durable are not given to other records. */
  private void goOnBehind(List<Segment> segments, Segment last, Rescanned found)
      throws IOException {
    long end = known.recoveryPoint();
    if (known.start() < end) {
      losses.endsEarly(found.nextOffset(), end);
    }
    if (last.sizeBytes() == 0) {
      segments.remove(last);
      removal.delete(last);
    } else {
      found.tail().map(tail -> tail.endingAt(end)).ifPresent(last.batches()::keep);
      last.seal();
      last.syncIndexes();
    }
    segments.add(Segment.create(removal.setting(settings), end));
  }
}
