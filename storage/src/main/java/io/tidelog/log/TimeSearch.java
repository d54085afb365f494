package io.tidelog.log;

import io.tidelog.record.Codecs;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.record.UnpackLimits;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.segment.Extent;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SoundWalk;
import java.io.IOException;
import java.util.function.IntPredicate;

/**
 * Finds records by time in a view. Any number of threads, no lock, no state. An answer is null if a
 * segment went away meanwhile: then the question is for the next view.
 */
final class TimeSearch {
  private TimeSearch() {}

  /** A question to a segment that stays open meanwhile. */
  @FunctionalInterface
  private interface Question<T> {
    T to(Segment segment) throws IOException;
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

  /** The first record below the bound whose timestamp is at or after a time. */
  static OffsetAtTime atOrAfter(LogView view, long timestampMs, long bound) throws IOException {
    OffsetAtTime found = OffsetAtTime.NONE;
    for (int i = view.floor(view.start());
        i < view.segmentCount() && OffsetAtTime.NONE.equals(found);
        i++) {
      Extent extent = view.extent(i);
      found =
          ask(
              view.segment(i),
              segment ->
                  segment.maxTimestamp() < timestampMs
                      ? OffsetAtTime.NONE
                      : first(
                          segment.batches().walkForTimestamp(timestampMs, view.start(), extent),
                          view.start(),
                          timestampMs));
    }
    return found == null || found.offset() < bound ? found : OffsetAtTime.NONE;
  }

  private static OffsetAtTime first(SoundWalk walk, long start, long timestampMs)
      throws IOException {
    try (Codecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      while (walk.next()) {
        if (walk.batch().maxTimestamp() >= timestampMs && walk.batch().lastOffset() >= start) {
          RecordBatch batch = walk.soundBatch();
          cursor.open(batch, UnpackLimits.DEFAULT);
          while (cursor.next()) {
            if (cursor.timestamp() >= timestampMs && cursor.offset() >= start) {
              return new OffsetAtTime(cursor.offset(), cursor.timestamp(), batch.leaderEpoch());
            }
          }
        }
      }
      return OffsetAtTime.NONE;
    }
  }

  /** The first record that has the largest timestamp of the log. */
  static OffsetAtTime latest(LogView view) throws IOException {
    IntPredicate holdsStart = index -> view.segment(index).baseOffset() < view.start();
    OffsetAtTime found = latest(view, holdsStart);
    // The active segment may know of a later time already, from a batch that the view lacks.
    found =
        OffsetAtTime.NONE.equals(found)
            ? latest(view, holdsStart.or(index -> index == view.segmentCount() - 1))
            : found;
    // And any segment of one that was lost with damage, or whose record compaction took out.
    return OffsetAtTime.NONE.equals(found) ? latest(view, index -> true) : found;
  }

  private static OffsetAtTime latest(LogView view, IntPredicate isToBeRead) throws IOException {
    long largest = RecordBatch.NO_TIMESTAMP;
    for (int i = view.floor(view.start()); i < view.segmentCount(); i++) {
      long from = Math.max(view.start(), view.segment(i).baseOffset());
      Extent extent = view.extent(i);
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
    return largest < 0 ? OffsetAtTime.NONE : atOrAfter(view, largest, view.end());
  }

  /** The start offset may lie within a segment, and within a batch. */
  private static long largestFrom(long start, SoundWalk walk) throws IOException {
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
                  : largestFrom(start, walk.soundBatch()));
    }
    return largest;
  }

  private static long largestFrom(long start, RecordBatch batch) {
    long largest = RecordBatch.NO_TIMESTAMP;
    try (Codecs codecs = KafkaCodecs.create()) {
      RecordCursor cursor = new RecordCursor(codecs);
      cursor.open(batch, UnpackLimits.DEFAULT);
      while (cursor.next()) {
        largest = cursor.offset() >= start ? Math.max(largest, cursor.timestamp()) : largest;
      }
    }
    return largest;
  }
}
