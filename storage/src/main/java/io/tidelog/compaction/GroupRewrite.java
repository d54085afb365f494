package io.tidelog.compaction;

import io.tidelog.log.LogRewrite;
import io.tidelog.segment.Segment;
import io.tidelog.segment.SegmentDraft;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Makes one segment of a group of neighbours. For one thread. */
final class GroupRewrite implements Closeable {
  private final LogRewrite log;
  private final Workspace tools;
  private final List<Segment> group;
  private final long end;
  private final TransactionTrace transactions;
  private final BatchFilter filter;
  private final SegmentDraft draft;
  private int index;
  private OpenSegment open;
  private boolean isDone;
  private long recordsKept;

  /**
   * The run that a group is part of.
   *
   * @param log whose segments they are
   * @param tools of the run
   * @param transactions up to the group
   * @param filter of the run
   */
  record Run(LogRewrite log, Workspace tools, TransactionTrace transactions, BatchFilter filter) {}

  private GroupRewrite(Run run, List<Segment> group, long end, SegmentDraft draft) {
    this.log = run.log;
    this.tools = run.tools;
    this.transactions = run.transactions;
    this.filter = run.filter;
    this.group = group;
    this.end = end;
    this.draft = draft;
  }

  /**
   * Begins with an empty draft.
   *
   * @param end the offset after the group
   */
  static GroupRewrite begin(Run run, List<Segment> group, long end) throws IOException {
    run.tools.discard();
    return new GroupRewrite(
        run, group, end, SegmentDraft.create(run.log.setting(), group.get(0).baseOffset()));
  }

  /** Copies some more, or puts the new segment in service; how many bytes were read. */
  long step(long maxBytes) throws IOException {
    long bytes = 0;
    while (bytes < maxBytes && !isDone) {
      if (open == null) {
        openNext();
      } else if (open.next()) {
        bytes += open.batch().sizeBytes();
        recordsKept += filter.filter(open, draft);
      } else {
        closeSource();
      }
    }
    return bytes;
  }

  private void openNext() throws IOException {
    if (index == group.size()) {
      tools.flush(draft);
      draft.complete(transactions.takeEnded(), group.get(group.size() - 1).modifiedMs());
      log.replaceFirst(group.size(), draft);
      isDone = true;
      return;
    }
    Segment next = group.get(index++);
    long nextEnd = index < group.size() ? group.get(index).baseOffset() : end;
    transactions.expect(log.aborted(next.baseOffset(), nextEnd));
    open = OpenSegment.at(next, next.baseOffset(), nextEnd);
  }

  private void closeSource() throws IOException {
    if (open != null) {
      OpenSegment closing = open;
      open = null;
      closing.close();
    }
  }

  /** Whether the new segment is in service. */
  boolean isDone() {
    return isDone;
  }

  long recordsKept() {
    return recordsKept;
  }

  /** Bytes of the new segment. */
  long bytesWritten() {
    return draft.sizeBytes();
  }

  /** Takes away what was written, unless it is in service. */
  @Override
  public void close() throws IOException {
    closeSource();
    draft.close();
    if (!isDone) {
      log.giveUp(draft);
    }
  }
}
