package io.tidelog.compaction;

import io.tidelog.log.LogChangedException;
import io.tidelog.log.LogRewrite;
import io.tidelog.log.LogSettings;
import io.tidelog.log.LogSurroundings;
import io.tidelog.log.PartitionLog;
import io.tidelog.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * One run of compaction over one log: the keys of its dirty part are read, as far as there is room
 * for them, then all segments up to there are copied without what is superseded, group by group.
 * Done in small steps, between which other work gets its turn. For one thread at a time.
 */
public final class LogCompaction implements Closeable {
  private final PartitionLog log;
  private final LogSurroundings around;
  private final CompactionPlan plan;
  private final Workspace tools;
  private final LogRewrite rewrite;
  private final KeyScan scan;
  private Copying copying;
  private Outcome outcome = new Outcome(0, 0, 0, 0, 0);

  /**
   * What a run did so far.
   *
   * @param bytesRead of segments, the dirty ones twice
   * @param bytesCopied of segments that were looked at to be copied
   * @param bytesWritten of segments
   * @param recordsKept in them
   * @param keys that were read
   */
  public record Outcome(
      long bytesRead, long bytesCopied, long bytesWritten, long recordsKept, long keys) {

    /** Bytes that went over the disk. */
    public long bytesMoved() {
      return bytesRead + bytesWritten;
    }
  }

  private LogCompaction(
      PartitionLog log,
      LogSurroundings around,
      CompactionPlan plan,
      Workspace tools,
      LogRewrite rewrite) {
    this.log = log;
    this.around = around;
    this.plan = plan;
    this.tools = tools;
    this.rewrite = rewrite;
    List<Segment> closed = rewrite.left();
    this.scan =
        new KeyScan(
            rewrite,
            tools,
            new KeyScan.Range(
                dirty(closed, plan.firstDirtyOffset()),
                plan.firstDirtyOffset(),
                plan.firstUncleanableOffset()));
  }

  /** Those that lie at or after the one that holds an offset. */
  private static List<Segment> dirty(List<Segment> closed, long from) {
    int first = 0;
    while (first + 1 < closed.size() && closed.get(first + 1).baseOffset() <= from) {
      first++;
    }
    return closed.subList(first, closed.size());
  }

  /**
   * Begins one.
   *
   * @param plan of the log as it is now
   * @param tools that nobody else uses until the run is closed
   * @throws io.tidelog.log.LogClosedException the log is closed or has failed
   */
  public static LogCompaction begin(
      PartitionLog log, LogSurroundings around, CompactionPlan plan, Workspace tools)
      throws IOException {
    return new LogCompaction(
        log, around, plan, tools, LogRewrite.begin(log, around, plan.firstUncleanableOffset()));
  }

  /**
   * Does some more.
   *
   * @param maxBytes to read, about
   * @throws io.tidelog.segment.CorruptLogException a batch is damaged: file and position are told
   * @throws LogChangedException the log was cut or lost segments meanwhile: begin again
   * @throws io.tidelog.log.LogClosedException the log is closed or has failed
   */
  public void step(long maxBytes) throws IOException {
    rewrite.requireOpen();
    if (!scan.isDone()) {
      outcome = new Outcome(outcome.bytesRead + scan.step(maxBytes), 0, 0, 0, tools.keys().size());
      return;
    }
    if (copying == null) {
      copying = new Copying();
    }
    long read = copying.step(maxBytes);
    outcome =
        new Outcome(
            outcome.bytesRead + read,
            outcome.bytesCopied + read,
            copying.bytesWritten(),
            copying.recordsKept(),
            outcome.keys);
  }

  /** Whether all new segments are in service. */
  public boolean isDone() {
    return copying != null && copying.isDone();
  }

  /** Up to where the log is compacted once the run is done. */
  public long compactedTo() {
    return scan.latest() + 1;
  }

  public Outcome outcome() {
    return outcome;
  }

  /** Takes away what is not in service. */
  @Override
  public void close() throws IOException {
    scan.close();
    if (copying != null) {
      copying.close();
    }
  }

  /** The second half, after the keys were read. */
  private final class Copying implements Closeable {
    private final List<List<Segment>> groups;
    private final long end;
    private final BatchFilter filter;
    private final GroupRewrite.Run run;
    private int next;
    private GroupRewrite current;
    private long bytesWritten;
    private long recordsKept;

    Copying() throws IOException {
      List<Segment> closed = rewrite.left();
      int count = (int) closed.stream().filter(this::isReached).count();
      LogSettings settings = log.settings();
      this.end =
          count < closed.size() ? closed.get(count).baseOffset() : plan.firstUncleanableOffset();
      this.groups = SegmentGroups.of(around.disk(), settings, closed.subList(0, count), end);
      TransactionTrace transactions = new TransactionTrace();
      this.filter =
          new BatchFilter(
              tools,
              transactions,
              new BatchFilter.Rules(
                  scan.latest(),
                  around.clock().millis(),
                  settings.compaction().deleteRetentionMs()));
      this.run = new GroupRewrite.Run(rewrite, tools, transactions, filter);
    }

    private boolean isReached(Segment segment) {
      return segment.baseOffset() < compactedTo();
    }

    long step(long maxBytes) throws IOException {
      if (isDone()) {
        return 0;
      }
      if (current == null) {
        filter.protect(rewrite.lastBatches(), log.view().highWatermark());
        current = GroupRewrite.begin(run, groups.get(next), endOf(next));
      }
      long read = current.step(maxBytes);
      if (current.isDone()) {
        bytesWritten += current.bytesWritten();
        recordsKept += current.recordsKept();
        next++;
        close();
      }
      return read;
    }

    private long endOf(int group) {
      return group + 1 < groups.size() ? groups.get(group + 1).get(0).baseOffset() : end;
    }

    boolean isDone() {
      return next == groups.size();
    }

    long bytesWritten() {
      return bytesWritten + (current == null ? 0 : current.bytesWritten());
    }

    long recordsKept() {
      return recordsKept + (current == null ? 0 : current.recordsKept());
    }

    @Override
    public void close() throws IOException {
      if (current != null) {
        GroupRewrite closing = current;
        current = null;
        closing.close();
      }
    }
  }
}
