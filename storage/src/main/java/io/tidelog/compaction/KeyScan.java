package io.tidelog.compaction;

import io.tidelog.log.LogRewrite;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordCursor;
import io.tidelog.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Reads the dirty part of a log and notes the latest offset of each key, as far as there is room.
 * First the batches' headers are read for how many records there are, so that no more memory is
 * taken than that. For one thread.
 */
final class KeyScan implements Closeable {
  private final LogRewrite log;
  private final Workspace tools;
  private final Range range;
  private final TransactionTrace transactions = new TransactionTrace();
  private long records;
  private int counted;
  private int index;
  private OpenSegment open;
  private long latest;
  private boolean isDone;

  /**
   * What is read.
   *
   * @param segments by rising base offset
   * @param from the first dirty offset
   * @param upTo the offset after the last segment
   */
  record Range(List<Segment> segments, long from, long upTo) {}

  KeyScan(LogRewrite log, Workspace tools, Range range) {
    this.log = log;
    this.tools = tools;
    this.range = range;
    this.latest = range.from - 1;
  }

  /** Reads some more; how many bytes. */
  long step(long maxBytes) throws IOException {
    if (counted < range.segments.size()) {
      count(counted++);
      return 0;
    }
    long bytes = 0;
    while (bytes < maxBytes && !isDone) {
      if (open == null) {
        openNext();
      } else if (open.next()) {
        bytes += open.batch().sizeBytes();
        note(open.batch());
      } else {
        close();
      }
    }
    return bytes;
  }

  private void openNext() throws IOException {
    if (index == 0) {
      tools.keys().clear(tools.room(), records);
      transactions.expect(log.aborted(range.from, range.upTo));
    }
    if (index == range.segments.size()) {
      latest = Math.max(latest, range.upTo - 1);
      isDone = true;
    } else {
      open = open(index++);
    }
  }

  private OpenSegment open(int segment) throws IOException {
    boolean isLast = segment + 1 == range.segments.size();
    long end = isLast ? range.upTo : range.segments.get(segment + 1).baseOffset();
    return OpenSegment.at(range.segments.get(segment), range.from, end);
  }

  private void count(int segment) throws IOException {
    try (OpenSegment counting = open(segment)) {
      while (counting.nextHeader()) {
        records += Math.max(0, counting.batch().recordCount());
      }
    }
  }

  private void note(RecordBatch batch) throws IOException {
    if (batch.isControl()) {
      transactions.isOfNothing(batch, tools.records().controlType(open));
    } else if (!transactions.isAborted(batch)) {
      noteKeys();
    }
    if (!isDone && batch.lastOffset() >= range.from) {
      latest = batch.lastOffset();
    }
  }

  private void noteKeys() throws IOException {
    RecordWalk walk = tools.records();
    RecordCursor record = walk.record();
    KeyOffsets keys = tools.keys();
    walk.open(open);
    while (!isDone && walk.next()) {
      if (record.hasKey() && record.offset() >= range.from) {
        if (keys.isFull()) {
          isDone = true;
        } else {
          keys.put(walk.key(), record.keySizeBytes(), record.offset());
          latest = record.offset();
        }
      }
    }
  }

  /** Whether all is read, or there is no more room. */
  boolean isDone() {
    return isDone;
  }

  /** The last offset that the keys tell of. */
  long latest() {
    return latest;
  }

  @Override
  public void close() throws IOException {
    if (open != null) {
      OpenSegment closing = open;
      open = null;
      closing.close();
    }
  }
}
