package io.tidelog.segment;

import io.tidelog.record.RecordBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is known of a log's bytes: those that this process wrote are sound, those that it found on
 * disk are once they were compared with their CRCs, and here and there they are known not to be. So
 * each byte is checked at most once, before it is first given out. Memory is a few numbers for each
 * run of checked bytes; readers who jump about make many runs, and beyond {@value #MOST_RUNS} all
 * are forgotten.
 *
 * <p>Any number of threads; asking takes no lock.
 */
final class CheckedBytes implements SoundWalk.Trust {
  private static final int MOST_RUNS = 1024;
  private static final int[] NONE = {};

  private final Consumer<String> told;
  private final OffsetNames names;

  /** Bytes from here on were written by this process. */
  private volatile int foundBytes;

  /** From, to, from, to: rising, with a gap between each two runs. */
  private volatile int[] runs = NONE;

  private volatile List<DamagedStretch> stretches = List.of();

  /**
   * @param foundBytes that were there before this process
   * @param told of each damaged stretch, once
   * @param names asked about batches that were there before this process, beside gaps
   */
  CheckedBytes(int foundBytes, Consumer<String> told, OffsetNames names) {
    this.foundBytes = foundBytes;
    this.told = told;
    this.names = names;
  }

  /** Who may know better than its header which offset a batch ends with. */
  @FunctionalInterface
  interface OffsetNames {
    long lastOffset(int position, RecordBatch header) throws IOException;
  }

  /** Up to where all is known to be sound from a position on; that position if nothing is. */
  int soundTo(int from) {
    if (from >= foundBytes) {
      return Integer.MAX_VALUE;
    }
    int[] now = runs;
    int run = runAt(now, from);
    if (run < 0) {
      return from;
    }
    return now[run + 1] >= foundBytes ? Integer.MAX_VALUE : now[run + 1];
  }

  /** The index of the run that holds a byte, or -1. */
  private static int runAt(int[] runs, int position) {
    int at = Arrays.binarySearch(runs, position);
    int before = at >= 0 ? at : -at - 2;
    return before >= 0 && before % 2 == 0 ? before : -1;
  }

  /** What is known, for a walk that cannot tell anything new. */
  SoundWalk.Trust withoutNotes() {
    return (position, header) -> covers(position, header);
  }

  @Override
  public boolean covers(int position, RecordBatch header) {
    return position >= foundBytes || runAt(runs, position) >= 0;
  }

  @Override
  public long lastOffset(int position, RecordBatch header) {
    try {
      return names.lastOffset(position, header);
    } catch (IOException toldByWhoeverReliesOnThem) {
      return header.lastOffset();
    }
  }

  @Override
  public synchronized void verified(int from, int to) {
    int[] now = runs;
    int first = 0;
    while (first < now.length && now[first + 1] < from) {
      first += 2;
    }
    int after = first;
    int start = from;
    int end = to;
    while (after < now.length && now[after] <= to) {
      start = Math.min(start, now[after]);
      end = Math.max(end, now[after + 1]);
      after += 2;
    }
    int[] next = new int[now.length - (after - first) + 2];
    System.arraycopy(now, 0, next, 0, first);
    next[first] = start;
    next[first + 1] = end;
    System.arraycopy(now, after, next, first + 2, now.length - after);
    runs = next.length > 2 * MOST_RUNS ? new int[] {start, end} : next;
  }

  @Override
  public DamagedStretch knownAt(int position) {
    for (DamagedStretch stretch : stretches) {
      if (stretch.part().from() == position) {
        return stretch;
      }
    }
    return null;
  }

  /** The damaged stretches that were met so far. */
  List<DamagedStretch> stretches() {
    return stretches;
  }

  /** Remembers a damaged stretch, and tells of it if it is new. */
  void met(DamagedStretch stretch) {
    if (isNew(stretch)) {
      told.accept(stretch.toString());
    }
  }

  private synchronized boolean isNew(DamagedStretch stretch) {
    List<DamagedStretch> others = new ArrayList<>(stretches);
    for (DamagedStretch known : stretches) {
      if (known.part().from() <= stretch.part().from()
          && known.part().to() >= stretch.part().to()) {
        return false;
      }
    }
    boolean isLonger = others.removeIf(known -> overlap(known.part(), stretch.part()));
    others.add(stretch);
    stretches = List.copyOf(others);
    return !isLonger;
  }

  private static boolean overlap(LogPart one, LogPart other) {
    return one.from() < other.to() && other.from() < one.to();
  }

  /** The log was cut: what is written from here on is ours. */
  synchronized void cutTo(int position) {
    foundBytes = Math.min(foundBytes, position);
    stretches = stretches.stream().filter(each -> each.part().from() < position).toList();
  }
}
