package io.tidelog.log;

import io.tidelog.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes a log durable while appends go on. One flush at a time, under its own lock, which comes
 * before the log's where both are taken.
 */
final class Flusher {
  private final Path directory;
  private final LogSurroundings around;
  private final LeaderEpochs epochs;
  private final LogProducers producers;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long recoveryPoint;
  private volatile long lastFlushMs;
  private long indexesSyncedTo;

  Flusher(Path directory, LogSurroundings around, PartitionLog.Contents contents) {
    this.directory = directory;
    this.around = around;
    this.epochs = contents.epochs();
    this.producers = contents.producers();
    this.recoveryPoint = contents.recoveryPoint();
    this.indexesSyncedTo = contents.recoveryPoint();
    this.lastFlushMs = around.clock().millis();
  }

  /** Held during a flush; whoever closes or cuts the log takes it first. */
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
        || unflushed > 0 && around.clock().millis() - lastFlushMs >= settings.flushMs();
  }

  /**
   * Makes all that a view shows durable, and moves the recovery point to its end.
   *
   * @return that end
   */
  long flush(LogView view) throws IOException {
    lock.lock();
    try {
      epochs.save();
      producers.syncSnapshots();
      for (int i = view.floor(Math.min(recoveryPoint, indexesSyncedTo));
          i < view.segmentCount();
          i++) {
        sync(view, i);
      }
      if (view.active().baseOffset() >= indexesSyncedTo) {
        around.disk().syncDirectory(directory);
        indexesSyncedTo = view.active().baseOffset();
      }
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
    around.disk().syncDirectory(directory);
  }

  private void sync(LogView view, int index) throws IOException {
    Segment segment = view.segment(index);
    if (!segment.pin()) {
      return;
    }
    try {
      if (view.endOf(index) > recoveryPoint) {
        segment.syncLog();
      }
      if (index < view.segmentCount() - 1 && segment.baseOffset() >= indexesSyncedTo) {
        segment.syncIndexes();
      }
    } finally {
      segment.unpin();
    }
  }

  /** The log was cut. */
  void cutTo(long end, long activeBase) {
    recoveryPoint = Math.min(recoveryPoint, end);
    indexesSyncedTo = Math.min(indexesSyncedTo, activeBase);
  }
}
