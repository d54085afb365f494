package io.tidelog.coordinator;

import io.tidelog.store.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.util.timer.Timer;
import org.apache.kafka.server.util.timer.TimerTask;
import org.apache.kafka.server.util.timer.TimerTaskEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timeouts, delays and expiries of a coordinator, on the broker's clock and scheduler.
 *
 * <p>The coordinator cancels most tasks long before they are due (each heartbeat replaces one), and
 * a cancelled task does not say so to its timer. So cancelled tasks are swept out whenever their
 * number can have doubled: memory stays within about twice that of the tasks which still wait.
 *
 * <p>Threads: any. Tasks run on the scheduler's threads, outside the lock.
 */
final class ClockTimer implements Timer {
  private static final Logger LOG = LoggerFactory.getLogger(ClockTimer.class);
  private static final int SMALLEST_SWEEP = 1024;

  private final Time time;
  private final Scheduler scheduler;
  private final PriorityQueue<TimerTaskEntry> waiting =
      new PriorityQueue<>(Comparator.comparingLong(entry -> entry.expirationMs));
  private int sweepAbove = SMALLEST_SWEEP;
  private long nextWakeMs = Long.MAX_VALUE;
  private long latestMs = Long.MIN_VALUE;
  private boolean closed;

  ClockTimer(Time time, Scheduler scheduler) {
    this.time = time;
    this.scheduler = scheduler;
  }

  @Override
  public synchronized void add(TimerTask task) {
    if (closed) {
      return;
    }
    waiting.add(new TimerTaskEntry(task, nowMs() + task.delayMs));
    if (waiting.size() > sweepAbove) {
      waiting.removeIf(TimerTaskEntry::cancelled);
      sweepAbove = Math.max(SMALLEST_SWEEP, 2 * waiting.size());
    }
    wakeForNext();
  }

  /** The clock, but never going back: tasks must not wait longer because a clock was set back. */
  private long nowMs() {
    latestMs = Math.max(latestMs, time.milliseconds());
    return latestMs;
  }

  private void wakeForNext() {
    TimerTaskEntry next = waiting.peek();
    if (next != null && next.expirationMs < nextWakeMs) {
      long wakeMs = next.expirationMs;
      nextWakeMs = wakeMs;
      scheduler.after(Math.max(0, wakeMs - nowMs()), () -> wake(wakeMs));
    }
  }

  private void wake(long wakeMs) {
    for (TimerTask task : takeDue(wakeMs)) {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.error("A timed task of a coordinator failed: {}", task, e);
      }
    }
  }

  private synchronized List<TimerTask> takeDue(long wakeMs) {
    latestMs = Math.max(latestMs, wakeMs);
    if (nextWakeMs == wakeMs) {
      nextWakeMs = Long.MAX_VALUE;
    }
    long now = nowMs();
    List<TimerTask> due = new ArrayList<>();
    while (!waiting.isEmpty() && waiting.peek().expirationMs <= now) {
      TimerTaskEntry entry = waiting.poll();
      if (!entry.cancelled()) {
        due.add(entry.timerTask);
      }
    }
    wakeForNext();
    return due;
  }

  /** Time moves by the scheduler alone, so there is nothing to advance. */
  @Override
  public boolean advanceClock(long timeoutMs) {
    return false;
  }

  @Override
  public synchronized int size() {
    return waiting.size();
  }

  /** Drops what waits; tasks added later are dropped too. */
  @Override
  public synchronized void close() {
    closed = true;
    waiting.clear();
  }
}
