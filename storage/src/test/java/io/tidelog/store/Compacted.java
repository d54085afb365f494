package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which records compaction took out of a log, by its model: of each key all but the latest go.
 * Those of aborted transactions may go, and tombstones once an earlier run has seen them long
 * enough ago.
 */
final class Compacted {
  private static final long DELETE_RETENTION_MS = 1_000;

  private final Set<Long> gone = new HashSet<>();
  private final Map<Long, Long> tombstonesSeenMs = new HashMap<>();

  /** What a run must have left, and what it may have left besides. */
  final class Run {
    private final List<Lab.Entry> before;
    private final Set<Long> mustGo = new HashSet<>();
    private final Set<Long> mayGo = new HashSet<>();

    private Run(List<Lab.Entry> before) {
      this.before = before;
    }

    /** Compares it with what is there, and remembers that. */
    void agreesWith(List<Lab.Entry> found) {
      List<Lab.Entry> expected = new ArrayList<>(before);
      expected.removeIf(entry -> mustGo.contains(entry.offset()));
      expected.removeIf(entry -> mayGo.contains(entry.offset()) && !found.contains(entry));
      assertThat(found).as("what compaction leaves").isEqualTo(expected);
      Set<Long> there = new HashSet<>();
      found.forEach(entry -> there.add(entry.offset()));
      before.stream()
          .map(Lab.Entry::offset)
          .filter(offset -> !there.contains(offset))
          .forEach(gone::add);
    }
  }

  boolean isGone(long offset) {
    return gone.contains(offset);
  }

  /** The log was cut: these offsets are given to other records. */
  void truncateTo(long end) {
    gone.removeIf(offset -> offset >= end);
    tombstonesSeenMs.keySet().removeIf(offset -> offset >= end);
  }

  /**
   * A run over all below an offset.
   *
   * @param records that were there before
   * @param aborted the offsets of aborted ones
   */
  Run upTo(long below, List<Lab.Entry> records, Set<Long> aborted, long nowMs) {
    Run run = new Run(records);
    Map<String, Lab.Entry> latest = new HashMap<>();
    for (Lab.Entry entry : records) {
      if (entry.offset() >= below) {
        break;
      }
      if (aborted.contains(entry.offset())) {
        run.mayGo.add(entry.offset());
        continue;
      }
      Lab.Entry earlier = latest.put(entry.key(), entry);
      if (earlier != null) {
        run.mustGo.add(earlier.offset());
      }
      if (entry.value() == null) {
        Long seenMs = tombstonesSeenMs.putIfAbsent(entry.offset(), nowMs);
        if (seenMs != null && seenMs + DELETE_RETENTION_MS <= nowMs) {
          run.mayGo.add(entry.offset());
        }
      }
    }
    return run;
  }
}
