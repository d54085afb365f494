package io.tidelog.store;

import io.tidelog.testkit.SimClock;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Background work that a test runs by hand, by moving a clock. Everything runs on the test's
 * thread.
 */
public final class ManualScheduler implements Scheduler {
  private final SimClock clock;
  private final ArrayDeque<Runnable> soon = new ArrayDeque<>();
  private final PriorityQueue<Timed> timed =
      new PriorityQueue<>(Comparator.comparingLong(Timed::dueMs).thenComparingLong(Timed::number));
  private long number;
  private boolean closed;

  private record Timed(long dueMs, long number, long periodMs, Runnable work) {}

  public ManualScheduler(SimClock clock) {
    this.clock = clock;
  }

  @Override
  public void execute(Runnable work) {
    if (!closed) {
      soon.add(work);
    }
  }

  @Override
  public void after(long delayMs, Runnable work) {
    add(delayMs, 0, work);
  }

  @Override
  public void every(long periodMs, Runnable work) {
    add(periodMs, periodMs, work);
  }

  private void add(long delayMs, long periodMs, Runnable work) {
    if (!closed) {
      timed.add(new Timed(clock.millis() + delayMs, number++, periodMs, work));
    }
  }

  /** Runs what is due now. */
  public void runDue() {
    while (runNext()) {
      // until nothing is due
    }
  }

  /** Runs the next piece that is due now; whether there was one. */
  public boolean runNext() {
    Runnable next = soon.poll();
    if (next == null && !timed.isEmpty() && timed.peek().dueMs <= clock.millis()) {
      Timed due = timed.poll();
      next = due.work;
      if (due.periodMs > 0) {
        add(due.periodMs, due.periodMs, due.work);
      }
    }
    if (next != null) {
      next.run();
    }
    return next != null;
  }

  /** Moves the clock and runs what becomes due on the way, at its time. */
  public void advanceMs(long byMs) {
    long target = clock.millis() + byMs;
    runDue();
    while (!timed.isEmpty() && timed.peek().dueMs <= target) {
      clock.advanceMs(Math.max(0, timed.peek().dueMs - clock.millis()));
      runDue();
    }
    clock.advanceMs(target - clock.millis());
  }

  @Override
  public void close() {
    closed = true;
    soon.clear();
    timed.clear();
  }
}
