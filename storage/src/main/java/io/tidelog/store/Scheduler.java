package io.tidelog.store;

import java.io.Closeable;

/**
 * Runs background work. In production a small pool of named daemon threads, in tests a queue that a
 * test runs by moving a clock. After close, work that is handed in is passed over.
 */
public interface Scheduler extends Closeable {

  /** Runs soon, on a background thread. */
  void execute(Runnable work);

  /** Runs once after a delay. */
  void after(long delayMs, Runnable work);

  /** Runs again and again, the first time after one period, until closed. */
  void every(long periodMs, Runnable work);

  /**
   * Stops: when this returns, no work is running and none starts. Delayed work that is not due is
   * dropped.
   */
  @Override
  void close();
}
