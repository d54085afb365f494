package io.tidelog.log;

import io.tidelog.disk.DiskFullException;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Moves of a log's start: durable first, shown afterwards. So whoever sees a start, or is told that
 * it was moved, finds it after a crash too; and a move that could not be saved has not happened.
 * One move at a time, under the flusher's lock.
 */
final class LogStart {
  private static final long NONE = -1;

  private final PartitionLog log;
  private final LogHost host;
  private final LogWriter writer;
  private volatile long next = NONE;

  LogStart(PartitionLog log, LogHost host, LogWriter writer) {
    this.log = log;
    this.host = host;
    this.writer = writer;
  }

  /**
   * What a checkpoint has to say: the start that is about to be shown, or the one that is. A move
   * shows its start before it forgets it here, hence the order.
   */
  long toSave() {
    long first = next;
    return Math.max(first, writer.view().start());
  }

  /**
   * Moves the start up; whether it moved.
   *
   * @throws OffsetOutOfRangeException above the high watermark
   */
  boolean advanceTo(long offset) throws IOException {
    ReentrantLock lock = writer.flusher().lock();
    lock.lock();
    try {
      LogView now = writer.openView();
      if (offset > now.highWatermark() || offset < 0) {
        throw writer.outOfRange(offset, now.highWatermark());
      }
      if (offset <= now.start()) {
        return false;
      }
      save(offset);
      writer.showStart(offset);
      return true;
    } finally {
      next = NONE;
      lock.unlock();
    }
  }

  /**
   * Drops the segments that lie wholly below an offset; the start moves up to what is left.
   *
   * @return how many segments went
   */
  int dropSegmentsBelow(long offset) throws IOException {
    ReentrantLock lock = writer.flusher().lock();
    lock.lock();
    try {
      writer.openView();
      int count = writer.countSegmentsBelow(offset);
      if (count > 0) {
        drop(count);
      }
      return count;
    } finally {
      next = NONE;
      lock.unlock();
    }
  }

  /**
   * Where there is no room to save the start, the names of the files that are left tell it: that is
   * how a full disk gets room again.
   */
  private void drop(int count) throws IOException {
    LogView now = writer.view();
    long start = Math.max(now.start(), now.segment(count).baseOffset());
    SegmentDisposal.Order order = SegmentDisposal.Order.ANY;
    try {
      save(start);
    } catch (DiskFullException full) {
      order = SegmentDisposal.Order.OLDEST_FIRST;
    }
    writer.showStart(start);
    writer.drop(count, order);
  }

  private void save(long start) throws IOException {
    next = start;
    host.saveStart(log);
    writer.epochs().saveFrom(start);
  }
}
