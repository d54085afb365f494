package io.tidelog.handler;

import io.tidelog.log.LogListener;
import io.tidelog.log.PartitionLog;
import io.tidelog.protocol.EventLoop;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a check on an event loop after any of some logs has moved or was closed. Moves that come
 * before the check has run make one run together, so that a batch of appends wakes a waiter once.
 *
 * <p>All but {@link #moved} is for the loop's thread only.
 */
final class LogWatch implements LogListener {
  private final EventLoop loop;
  private final Runnable check;
  private final AtomicBoolean due = new AtomicBoolean();
  private Collection<PartitionLog> watched = List.of();

  private LogWatch(EventLoop loop, Runnable check) {
    this.loop = loop;
    this.check = check;
  }

  /**
   * Watches from now on. Whatever moved before this returns may have gone unnoticed, so the caller
   * looks once more afterwards.
   */
  static LogWatch start(Collection<PartitionLog> logs, EventLoop loop, Runnable check) {
    LogWatch watch = new LogWatch(loop, check);
    watch.watched = logs;
    logs.forEach(log -> log.addListener(watch));
    return watch;
  }

  /** No check runs after this. */
  void stop() {
    watched.forEach(log -> log.removeListener(this));
    watched = null;
  }

  @Override
  public void moved(PartitionLog log) {
    if (due.compareAndSet(false, true)) {
      try {
        loop.execute(this::run);
      } catch (RejectedExecutionException stopped) {
        // The loop has ended, and the connection that waits with it.
      }
    }
  }

  private void run() {
    due.set(false);
    if (watched != null) {
      check.run();
    }
  }
}
