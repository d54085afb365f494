package io.tidelog.store;

import java.io.Closeable;

/**
 * Runs background work. Production: a small pool of named daemon threads; tests: a queue that a
 * test runs by moving a clock.
 */
public interface Scheduler extends Closeable {

  /** Runs soon, on a background thread. */
  void execute(Runnable work);

  /** Runs once after a delay. */
  void after(long delayMs, Runnable work);

  /** Runs again and again, the first time after one period, until closed. */
  void every(long periodMs, Runnable work);

  /** Stops: no work is running or starts when this returns. */
  @Override
  void close();
}
