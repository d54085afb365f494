package io.tidelog.producer;

import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where the transactions begin that hold back the last stable offset: those that are open, and
 * those that have ended but whose markers are not committed yet, and so might still be taken back.
 */
final class UnstableTransactions {
  private final TreeSet<Long> open = new TreeSet<>();
  private final TreeMap<Long, Long> endedByMarker = new TreeMap<>();
  private final TreeSet<Long> ended = new TreeSet<>();
  private long committedTo = Long.MAX_VALUE;

  void begin(long start) {
    open.add(start);
  }

  /** A transaction has ended with the marker at an offset. */
  void end(long start, long marker) {
    open.remove(start);
    if (marker >= committedTo) {
      endedByMarker.put(marker, start);
      ended.add(start);
    }
  }

  /** All below this offset is committed. */
  void commitTo(long highWatermark) {
    committedTo = highWatermark;
    while (!endedByMarker.isEmpty() && endedByMarker.firstKey() < highWatermark) {
      ended.remove(endedByMarker.pollFirstEntry().getValue());
    }
  }

  OptionalLong firstOpen() {
    return open.isEmpty() ? OptionalLong.empty() : OptionalLong.of(open.first());
  }

  /** The first offset that is not stable, at most {@code limit}. */
  long firstUnstable(long limit) {
    long first = open.isEmpty() ? limit : Math.min(limit, open.first());
    return ended.isEmpty() ? first : Math.min(first, ended.first());
  }

  /**
   * The log ends here now, and its transactions are about to be told again: which are open is
   * forgotten, and of the ended ones those whose marker was taken back.
   */
  void startAgain(long end) {
    open.clear();
    while (!endedByMarker.isEmpty() && endedByMarker.lastKey() >= end) {
      ended.remove(endedByMarker.pollLastEntry().getValue());
    }
  }
}
