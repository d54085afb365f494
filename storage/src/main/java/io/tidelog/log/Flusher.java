package io.tidelog.log;

import io.tidelog.disk.DiskFullException;
import io.tidelog.segment.Segment;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Makes a log durable while appends go on. One flush at a time, under its own lock, which comes
 * before the log's where both are taken.
 */
final class Flusher {
  private static final long NO_NAMES = -1;

  private final LogSurroundings around;
  private final LeaderEpochs epochs;
  private final LogProducers producers;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long recoveryPoint;
  private volatile long lastFlushMs;

  /** The indexes of segments with a lower base offset are durable. */
  private long indexesSyncedTo;

  /** The base offset of the last segment whose name is durable. */
  private long namesSyncedTo = NO_NAMES;

  Flusher(LogSurroundings around, LogContents contents) {
    this.around = around;
    this.epochs = contents.epochs();
    this.producers = contents.producers();
    this.recoveryPoint = contents.recoveryPoint();
    this.indexesSyncedTo = baseAtOrBefore(contents.recoveryPoint(), contents.segments());
    this.lastFlushMs = around.clock().millis();
  }

  private static long baseAtOrBefore(long offset, List<Segment> segments) {
    long base = segments.get(0).baseOffset();
    for (Segment segment : segments) {
      base = segment.baseOffset() <= offset ? segment.baseOffset() : base;
    }
    return base;
  }

  /** Held during a flush; whoever closes or cuts the log, or takes files away, takes it first. */
  ReentrantLock lock() {
    return lock;
  }

  /** Offset below which all is durable. */
  long recoveryPoint() {
    return recoveryPoint;
  }

  /** Whether flush.messages or flush.ms ask for a flush. */
  boolean isDue(LogView view, LogSettings settings) {
    long unflushed = view.end() - recoveryPoint;
    return unflushed >= settings.flushMessages()
        || (unflushed > 0 && around.clock().millis() - lastFlushMs >= settings.flushMs());
  }

  /**
   * Makes all durable that the log shows when the flush begins, and moves the recovery point to the
   * end of that.
   *
   * @return that end
   * @throws SyncFailedException if it is not known what is durable
   * @throws IOException if something else stood in the way, as a full disk does; a later flush may
   *     succeed
   */
  long flush(Supplier<LogView> latest) throws IOException {
    lock.lock();
    try {
      LogView view = latest.get();
      unlessFull(epochs::save);
      unlessFull(producers::syncSnapshots);
      for (int i = view.floor(Math.min(recoveryPoint, indexesSyncedTo));
          i < view.segmentCount();
          i++) {
        sync(view, i);
      }
      syncNames(view);
      indexesSyncedTo = view.active().baseOffset();
      recoveryPoint = Math.max(recoveryPoint, view.end());
      lastFlushMs = around.clock().millis();
      return view.end();
    } finally {
      lock.unlock();
    }
  }

  /** The active segment's indexes too: the last step before a clean stop. */
  void flushActiveIndexes(LogView view) throws IOException {
    view.active().syncIndexes();
    around.disk().syncDirectory(view.directory());
  }

  private void sync(LogView view, int index) throws IOException {
    Segment segment = view.segment(index);
    if (!segment.pin()) {
      return;
    }
    try {
      if (view.endOf(index) > recoveryPoint) {
        orFail(segment::syncLog);
      }
      if (index < view.segmentCount() - 1 && segment.baseOffset() >= indexesSyncedTo) {
        segment.syncIndexes();
      }
    } finally {
      segment.unpin();
    }
  }

  private void syncNames(LogView view) throws IOException {
    long activeBase = view.active().baseOffset();
    if (activeBase > namesSyncedTo) {
      orFail(() -> around.disk().syncDirectory(view.directory()));
      namesSyncedTo = activeBase;
    }
  }

  /** A sync that must not fail. */
  @FunctionalInterface
  private interface Sync {
    void run() throws IOException;
  }

  private static void orFail(Sync sync) throws SyncFailedException {
    try {
      sync.run();
    } catch (IOException e) {
      throw new SyncFailedException(e);
    }
  }

  /** The same for what can be written again: a full disk is waited for. */
  private static void unlessFull(Sync sync) throws IOException {
    try {
      sync.run();
    } catch (DiskFullException e) {
      throw e;
    } catch (IOException e) {
      throw new SyncFailedException(e);
    }
  }

  /** The log lies elsewhere now, where all that is in its files is durable. */
  void moved(LogView view) {
    indexesSyncedTo = view.active().baseOffset();
    namesSyncedTo = view.active().baseOffset();
  }

  /** The log is about to be cut. */
  void cutTo(long end, long activeBase) {
    recoveryPoint = Math.min(recoveryPoint, end);
    indexesSyncedTo = Math.min(indexesSyncedTo, activeBase);
    namesSyncedTo = NO_NAMES;
  }
}
