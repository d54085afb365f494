package io.tidelog.coordinator;

import io.tidelog.store.Scheduler;
import io.tidelog.testkit.SimClock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A clock and the work that waits for it. Both stand still until a test moves them; work that comes
 * due runs on the test's thread, at its time.
 */
public final class MovedTime implements InstantSource, Scheduler {
  private record Waiting(long dueMs, long number, Runnable work) {}

  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparing(Waiting::dueMs).thenComparing(Waiting::number));
  private long wallMs;
  private boolean closed;
  private long elapsedMs;
  private long number;

  public MovedTime() {
    this(SimClock.START_MS);
  }

  /** A clock that shows this time. */
  public MovedTime(long wallMs) {
    this.wallMs = wallMs;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public synchronized long millis() {
    return wallMs;
  }

  /** Lets this much time pass. */
  public void advanceMs(long byMs) {
    long untilMs;
    synchronized (this) {
      untilMs = elapsedMs + byMs;
    }
    for (Waiting next = next(untilMs); next != null; next = next(untilMs)) {
      next.work.run();
    }
    moveTo(untilMs);
  }

  /** Sets the clock, as an operator would: no time passes. */
  public synchronized void setBackMs(long byMs) {
    wallMs -= byMs;
  }

  private synchronized Waiting next(long untilMs) {
    if (waiting.isEmpty() || waiting.peek().dueMs > untilMs) {
      return null;
    }
    moveTo(waiting.peek().dueMs);
    return waiting.poll();
  }

  private synchronized void moveTo(long ms) {
    wallMs += Math.max(0, ms - elapsedMs);
    elapsedMs = Math.max(elapsedMs, ms);
  }

  /** How many pieces of work wait. */
  public synchronized int waitingCount() {
    return waiting.size();
  }

  @Override
  public void execute(Runnable work) {
    after(0, work);
  }

  @Override
  public synchronized void after(long delayMs, Runnable work) {
    if (!closed) {
      waiting.add(new Waiting(elapsedMs + delayMs, number++, work));
    }
  }

  @Override
  public void every(long periodMs, Runnable work) {
    after(
        periodMs,
        () -> {
          work.run();
          every(periodMs, work);
        });
  }

  @Override
  public synchronized void close() {
    closed = true;
    waiting.clear();
  }
}
