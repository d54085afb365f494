package io.tidelog.log;

import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.CorruptLogException;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the aborted transactions that reach into a range of offsets. Each is told of by the segment
 * that holds its marker, which may come long after the range; the search ends where an entry shows
 * that everything below the end of the range had been decided. Costs a look at a number in memory
 * for each segment in which nothing was aborted.
 */
final class AbortedSearch {
  private final AbortedCheck check;

  AbortedSearch(AbortedCheck check) {
    this.check = check;
  }

  /**
   * Those with a marker at or after {@code from} and a first record before {@code upTo}, which is
   * at most the view's last stable offset.
   *
   * @param index the segment that holds {@code from}
   * @return null if a segment went out of service meanwhile
   */
  List<AbortedTransaction> between(LogView view, int index, long from, long upTo)
      throws IOException {
    List<AbortedTransaction> found = List.of();
    boolean isComplete = false;
    for (int i = index; i < view.segmentCount() && !isComplete; i++) {
      Segment segment = view.segment(i);
      check.require(segment);
      if (!segment.aborted().isEmpty()) {
        found = found.isEmpty() ? new ArrayList<>() : found;
        isComplete = collect(segment, from, upTo, found);
      }
      if (segment.isRetired()) {
        return null;
      }
    }
    return found;
  }

  private boolean collect(Segment segment, long from, long upTo, List<AbortedTransaction> found)
      throws IOException {
    int before = found.size();
    try {
      return segment.aborted().collect(from, upTo, found);
    } catch (CorruptLogException takenAway) {
      found.subList(before, found.size()).clear();
      check.makeAnew(segment);
      return segment.aborted().collect(from, upTo, found);
    }
  }
}
