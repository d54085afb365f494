package io.tidelog.log;

import io.tidelog.record.RecordBatch;
import io.tidelog.segment.Extent;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SoundWalk;
import io.tidelog.segment.WalkWindow;
import java.io.IOException;
import java.util.function.IntPredicate;

/**
 * Finds records by time in a view, without a lock. An answer is null if a segment went away
 * meanwhile: then the question is for the next view. For one thread.
 */
final class TimeSearch {
  private final LogView view;
  private final BatchTimes times;
  private final WalkWindow window;

  private TimeSearch(LogView view, BatchTimes times, WalkWindow window) {
    this.view = view;
    this.times = times;
    this.window = window;
  }

  /** What is to be found. */
  @FunctionalInterface
  interface Wanted {
    OffsetAtTime by(TimeSearch search) throws IOException;
  }

  /** The answer to a search with borrowed tools. */
  static OffsetAtTime in(LogView view, LogSurroundings around, Wanted wanted) throws IOException {
    try (Validation tools = around.validations().borrow();
        WalkWindow window = WalkWindow.borrow()) {
      return wanted.by(new TimeSearch(view, tools.times(), window));
    }
  }

  /** A question to a segment that stays open meanwhile. */
  @FunctionalInterface
  private interface Question<T> {
    T to(Segment segment) throws IOException;
  }

  /** What is the answer in a batch that claims to have a time? */
  @FunctionalInterface
  private interface Claim {
    OffsetAtTime in(SoundWalk walk) throws IOException;
  }

  /** The answer, or null if the segment is out of service. */
  private static <T> T ask(Segment segment, Question<T> question) throws IOException {
    if (!segment.pin()) {
      return null;
    }
    try {
      return question.to(segment);
    } catch (IOException e) {
      if (segment.isRetired()) {
        return null;
      }
      throw e;
    } finally {
      segment.unpin();
    }
  }

  /** The first record below a bound whose timestamp is at or after a time. */
  OffsetAtTime atOrAfter(long timestampMs, ReadUpTo upTo) throws IOException {
    OffsetAtTime found = first(timestampMs, walk -> first(walk, timestampMs));
    return found == null || found.offset() < view.bound(upTo) ? found : OffsetAtTime.NONE;
  }

  private OffsetAtTime first(long timestampMs, Claim claim) throws IOException {
    OffsetAtTime found = OffsetAtTime.NONE;
    for (int i = view.floor(view.start());
        i < view.segmentCount() && OffsetAtTime.NONE.equals(found);
        i++) {
      Extent extent = view.extent(i);
      found = ask(view.segment(i), segment -> first(segment, extent, timestampMs, claim));
    }
    return found;
  }

  private OffsetAtTime first(SoundWalk walk, long timestampMs) throws IOException {
    OffsetAtTime byHead = BatchTimes.firstByHead(walk.batch(), timestampMs, view.start());
    return byHead != null ? byHead : times.first(walk.soundBatch(), timestampMs, view.start());
  }

  private OffsetAtTime first(Segment segment, Extent extent, long timestampMs, Claim claim)
      throws IOException {
    OffsetAtTime found = OffsetAtTime.NONE;
    if (segment.maxTimestamp() >= timestampMs) {
      SoundWalk walk =
          segment.batches().walkForTimestamp(timestampMs, view.start(), extent, window);
      while (OffsetAtTime.NONE.equals(found) && walk.next()) {
        if (walk.batch().maxTimestamp() >= timestampMs
            && walk.batch().lastOffset() >= view.start()) {
          found = claim.in(walk);
        }
      }
    }
    return found;
  }

  /** The first record that has the largest timestamp of the log. */
  OffsetAtTime latest() throws IOException {
    IntPredicate holdsStart = index -> view.segment(index).baseOffset() < view.start();
    OffsetAtTime found = latest(holdsStart);
    // The active segment may know of a later time already, from a batch that the view lacks.
    found =
        OffsetAtTime.NONE.equals(found)
            ? latest(holdsStart.or(index -> index == view.segmentCount() - 1))
            : found;
    // And any segment of one that was lost with damage, or whose record compaction took out.
    return OffsetAtTime.NONE.equals(found) ? latest(index -> true) : found;
  }

  private OffsetAtTime latest(IntPredicate isToBeRead) throws IOException {
    long largest = RecordBatch.NO_TIMESTAMP;
    boolean isAllRead = true;
    for (int i = view.floor(view.start()); i < view.segmentCount(); i++) {
      long from = Math.max(view.start(), view.segment(i).baseOffset());
      Extent extent = view.extent(i);
      isAllRead &= isToBeRead.test(i);
      Question<Long> largestOfSegment =
          isToBeRead.test(i)
              ? segment -> largestFrom(from, segment.batches().walkFrom(from, extent))
              : Segment::maxTimestamp;
      Long found = ask(view.segment(i), largestOfSegment);
      if (found == null) {
        return null;
      }
      largest = Math.max(largest, found);
    }
    if (largest < 0) {
      return OffsetAtTime.NONE;
    }
    OffsetAtTime found = atOrAfter(largest, ReadUpTo.LOG_END);
    // What remains is a header that was believed, though none of its records is so late.
    return OffsetAtTime.NONE.equals(found) && isAllRead
        ? first(largest, walk -> ofHeader(walk.batch()))
        : found;
  }

  private OffsetAtTime ofHeader(RecordBatch batch) {
    return batch.recordCount() == 0 ? OffsetAtTime.NONE : BatchTimes.ofHeader(batch, view.start());
  }

  /** The start offset may lie within a segment, and within a batch. */
  private long largestFrom(long start, SoundWalk walk) throws IOException {
    long largest = RecordBatch.NO_TIMESTAMP;
    while (walk.next()) {
      if (walk.batch().recordCount() == 0) {
        continue; // compaction left it for its producer, and it still has the time of its records
      }
      largest =
          Math.max(
              largest,
              walk.batch().baseOffset() >= start
                  ? walk.batch().maxTimestamp()
                  : times.largest(walk.soundBatch(), start));
    }
    return largest;
  }
}
