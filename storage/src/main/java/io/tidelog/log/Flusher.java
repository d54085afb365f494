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

  /** What kept the last flush from writing all; null if nothing did. */
  private DiskFullException missing;

  /** The base offset of the last segment whose name is durable. */
  private long namesSyncedTo = NO_NAMES;

  Flusher(LogSurroundings around, LogContents contents) {
    this.around = around;
    this.epochs = contents.epochs();
    this.producers = contents.producers();
    this.recoveryPoint = contents.recoveryPoint();
    this.indexesSyncedTo = baseBefore(contents.recoveryPoint(), contents.segments());
    this.lastFlushMs = around.clock().millis();
  }

  /** Where a segment begins at the recovery point, recovery has made the one before it anew. */
  private static long baseBefore(long offset, List<Segment> segments) {
    long base = segments.get(0).baseOffset();
    for (Segment segment : segments) {
      base = segment.baseOffset() < offset ? segment.baseOffset() : base;
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
        || (unflushed > 0
            && settings.flushMs() != Long.MAX_VALUE
            && around.clock().millis() - lastFlushMs >= settings.flushMs());
  }

  /**
   * Makes all durable that the log shows when the flush begins, and moves the recovery point to the
   * end of that; but on a disk that is too full for the small files beside the log the recovery
   * point stays, so that a crash has them made again from the log.
   *
   * @return that end
   * @throws SyncFailedException if it is not known what is durable
   * @throws IOException if something else stood in the way; a later flush may succeed
   */
  long flush(Supplier<LogView> latest) throws IOException {
    lock.lock();
    try {
      LogView view = latest.get();
      missing = null;
      unlessFull(() -> orFail(epochs::save));
      unlessFull(() -> orFail(producers::syncSnapshots));
      for (int i = view.floor(Math.min(recoveryPoint, indexesSyncedTo));
          i < view.segmentCount();
          i++) {
        sync(view, i);
      }
      syncNames(view);
      lastFlushMs = around.clock().millis();
      if (missing == null) {
        indexesSyncedTo = view.active().baseOffset();
        recoveryPoint = Math.max(recoveryPoint, view.end());
      }
      return view.end();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The active segment's indexes too, complete as those of a closed one: the last step before a
   * clean stop. Kafka takes the last time entry for the largest timestamp of the segment.
   */
  void flushActiveIndexes(LogView view) throws IOException {
    view.active().seal();
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
        syncLog(segment);
      }
      if (index < view.segmentCount() - 1 && segment.baseOffset() >= indexesSyncedTo) {
        unlessFull(segment::syncIndexes);
      }
    } finally {
      segment.unpin();
    }
  }

  /** A sync that finds the disk full has failed as any other: nobody knows what it has written. */
  private static void syncLog(Segment segment) throws SyncFailedException {
    try {
      segment.syncLog();
    } catch (IOException e) {
      throw new SyncFailedException(e);
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

  private static void orFail(Sync sync) throws IOException {
    try {
      sync.run();
    } catch (DiskFullException full) {
      throw full;
    } catch (IOException e) {
      throw new SyncFailedException(e);
    }
  }

  /** What a crash would have made again need not be written on a full disk. */
  private void unlessFull(Sync sync) throws IOException {
    try {
      sync.run();
    } catch (DiskFullException full) {
      missing = full;
    }
  }

  /** Throws what kept the last flush from writing all, if anything did. */
  void requireComplete() throws DiskFullException {
    if (missing != null) {
      throw missing;
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
