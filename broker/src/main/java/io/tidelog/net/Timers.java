package io.tidelog.net;

import io.tidelog.protocol.EventLoop.Timeout;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Tasks that wait for a time, earliest first. Most are cancelled before their time (a long poll
 * that found data), so a cancelled task only lets go of what it would have done; its place is swept
 * when half of the queue is such places.
 *
 * <p>Not thread-safe: it belongs to one event loop, which also tells the time.
 */
final class Timers {
  private static final int SWEEP_FROM = 64;
  private static final long NANOS_PER_MS = 1_000_000;

  /**
   * Delays are cut to this, about 146 years, so that two times can be compared by their difference.
   */
  private static final long MAX_DELAY_MS = Long.MAX_VALUE / 2 / NANOS_PER_MS;

  private final PriorityQueue<Entry> queue = new PriorityQueue<>();
  private long added;
  private int cancelled;

  /** Adds a task that is due so long after {@code nowNanos}. */
  Timeout schedule(Runnable task, long delayMs, long nowNanos) {
    long delayNanos = Math.max(0, Math.min(delayMs, MAX_DELAY_MS)) * NANOS_PER_MS;
    Entry entry = new Entry(task, nowNanos + delayNanos, added++);
    queue.add(entry);
    return entry;
  }

  /**
   * Takes out what is due by {@code nowNanos} and gives it to the runner. The tasks may add and
   * cancel others.
   */
  void expire(long nowNanos, Consumer<Runnable> runner) {
    for (Entry first = firstWaiting();
        first != null && first.dueNanos - nowNanos <= 0;
        first = firstWaiting()) {
      queue.remove();
      Runnable task = first.task;
      first.task = null;
      runner.accept(task);
    }
  }

  /** Nanoseconds until the next task is due, 0 if it is overdue, -1 if none waits. */
  long delayNanos(long nowNanos) {
    Entry first = firstWaiting();
    return first == null ? -1 : Math.max(0, first.dueNanos - nowNanos);
  }

  private Entry firstWaiting() {
    Entry first = queue.peek();
    while (first != null && first.task == null) {
      queue.remove();
      cancelled--;
      first = queue.peek();
    }
    return first;
  }

  private void sweep() {
    if (queue.size() >= SWEEP_FROM && cancelled > queue.size() / 2) {
      queue.removeIf(entry -> entry.task == null);
      cancelled = 0;
    }
  }

  private final class Entry implements Timeout, Comparable<Entry> {
    private final long dueNanos;
    private final long number;

    /** Null once it has run or been cancelled. */
    private Runnable task;

    Entry(Runnable task, long dueNanos, long number) {
      this.task = task;
      this.dueNanos = dueNanos;
      this.number = number;
    }

    @Override
    public void cancel() {
      if (task != null) {
        task = null;
        cancelled++;
        sweep();
      }
    }

    @Override
    public int compareTo(Entry other) {
      long later = dueNanos - other.dueNanos;
      return later != 0 ? Long.signum(later) : Long.compare(number, other.number);
    }
  }
}
