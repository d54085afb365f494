package io.tidelog.log;

import io.tidelog.producer.ProducerState;
import io.tidelog.segment.AbortedTransaction;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentDraft;
import io.tidelog.segment.SegmentSwap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Puts new closed segments in the place of old ones, from the oldest on, while the log is appended
 * to and read. What the new ones say may rest on any old one of the range, so none of these may
 * have been cut or dropped meanwhile: then nothing is replaced any more. Readers keep what they
 * have pinned. For one thread at a time.
 */
public final class LogRewrite {
  private final PartitionLog log;
  private final LogWriter writer;
  private final LogSurroundings around;
  private final SegmentDisposal disposal;
  private final AbortedSearch abortedSearch;
  private final List<Segment> left;

  private LogRewrite(PartitionLog log, LogSurroundings around, List<Segment> range) {
    this.log = log;
    this.writer = log.writer();
    this.around = around;
    this.disposal = new SegmentDisposal(around);
    this.abortedSearch = new AbortedSearch(new AbortedCheck(writer, around));
    this.left = new ArrayList<>(range);
  }

  /**
   * Begins with the closed segments that lie below an offset, and makes them durable: a record must
   * not be given up for a later one that a power cut may take.
   *
   * @param upTo base offset of a segment
   * @throws LogClosedException the log is closed or has failed
   */
  public static LogRewrite begin(PartitionLog log, LogSurroundings around, long upTo)
      throws IOException {
    if (log.recoveryPoint() < upTo) {
      log.flush();
    }
    List<Segment> closed = log.segments();
    return new LogRewrite(
        log,
        around,
        closed.subList(0, closed.size() - 1).stream()
            .filter(segment -> segment.baseOffset() < upTo)
            .toList());
  }

  /** The segments of the range that are not replaced yet, by rising base offset. */
  public List<Segment> left() {
    return List.copyOf(left);
  }

  /**
   * Whether there is still a point in it.
   *
   * @throws LogClosedException the log is closed or has failed
   */
  public void requireOpen() {
    writer.requireOpen();
  }

  /** What a new segment takes from the log. */
  public Segment.Setting setting() {
    return around.segmentSetting(log.directory(), log.settings());
  }

  /** The aborted transactions that have records from one offset up to another. */
  public List<AbortedTransaction> aborted(long from, long upTo) throws IOException {
    while (true) {
      LogView view = writer.openView();
      long first = Math.max(from, view.start());
      List<AbortedTransaction> found = abortedSearch.between(view, view.floor(first), first, upTo);
      if (found != null) {
        return found;
      }
    }
  }

  /** The last batches of the producers that the log remembers now, by producer id. */
  public Map<Long, LastBatch> lastBatches() {
    return writer.askProducers(
        states ->
            states.all().stream()
                .collect(
                    Collectors.toMap(
                        ProducerState::producerId,
                        state -> new LastBatch(state.lastOffset(), state.epoch()))));
  }

  /**
   * Puts one segment in the place of the first ones that are left. Durable when it returns. If the
   * disk fails half-way the log is closed, and the next opener ends what was begun.
   *
   * @param count how many it replaces
   * @throws LogChangedException if the log is no longer what it was: nothing is replaced
   * @throws IOException if nothing is replaced, or the log is closed
   */
  public void replaceFirst(int count, SegmentDraft draft) throws IOException {
    List<Segment> old = List.copyOf(left.subList(0, count));
    ReentrantLock lock = writer.flusher().lock();
    lock.lock();
    try {
      requireUnchanged(writer.openView());
      pin(old);
      try {
        swap(old, draft.swap());
      } finally {
        unpin(old);
      }
    } finally {
      lock.unlock();
    }
    left.subList(0, count).clear();
  }

  /** Takes a draft away that is not to be used; what a closed log left, its next opener ends. */
  public void giveUp(SegmentDraft draft) throws IOException {
    if (!log.isClosed()) {
      draft.swap().undo();
    }
  }

  /** Where the range lies in a view. */
  private int requireUnchanged(LogView view) throws LogChangedException {
    int first = view.floor(left.get(0).baseOffset());
    for (int i = 0; i < left.size(); i++) {
      if (first + i >= view.segmentCount() - 1 || view.segment(first + i) != left.get(i)) {
        throw new LogChangedException(
            log.topicPartition() + " was cut or lost segments meanwhile: " + left.get(i));
      }
    }
    return first;
  }

  /** Opens the files, whose names are about to be those of others. */
  private static void pin(List<Segment> old) throws IOException {
    for (int i = 0; i < old.size(); i++) {
      boolean isPinned = false;
      try {
        isPinned = old.get(i).pin();
      } finally {
        if (!isPinned) {
          unpin(old.subList(0, i));
        }
      }
      if (!isPinned) {
        throw new LogChangedException(old.get(i) + " is out of service");
      }
    }
  }

  private static void unpin(List<Segment> old) throws IOException {
    for (Segment segment : old) {
      segment.unpin();
    }
  }

  private void swap(List<Segment> old, SegmentSwap swap) throws IOException {
    commit(swap);
    try {
      swap.sync();
      old.forEach(Segment::retire);
      disposal.setAside(
          old, SegmentDisposal.Order.OLDEST_FIRST, log.settings().fileDeleteDelayMs());
      swap.finish();
      Segment fresh = Segment.open(setting(), swap.baseOffset());
      show(old, fresh);
    } catch (IOException e) {
      writer.fail(e);
      log.tellListeners();
      throw e;
    }
  }

  private void commit(SegmentSwap swap) throws IOException {
    try {
      swap.commit();
    } catch (IOException e) {
      try {
        swap.undo();
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
        writer.fail(e);
        log.tellListeners();
      }
      throw e;
    }
  }

  private void show(List<Segment> old, Segment fresh) throws IOException {
    try {
      writer.alone(
          () -> {
            LogView now = writer.view();
            int first = requireUnchanged(now);
            List<Segment> segments = new ArrayList<>(List.of(now.segments()));
            segments.subList(first, first + old.size()).clear();
            segments.add(first, fresh);
            writer.publish(now.withSegments(segments.toArray(Segment[]::new)));
            writer.producers().dropSnapshotsAt(mergedAway(old));
          });
    } catch (IOException | LogClosedException e) {
      fresh.unpin();
      throw e;
    }
  }

  private static List<Long> mergedAway(List<Segment> old) {
    Function<Segment, Long> base = Segment::baseOffset;
    return old.stream().skip(1).map(base).toList();
  }
}
