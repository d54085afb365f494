package io.tidelog.protocol;

import java.util.concurrent.Executor;

/** The one thread that reads, serves and answers a set of connections, as their handlers see it. */
public interface EventLoop extends Executor {

  /**
   * Runs the task on the loop's thread, after what it is doing now. From any thread; order is kept
   * per caller.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the loop has ended
   */
  @Override
  void execute(Runnable task);

  /**
   * Runs the task on the loop's thread once the delay is over, never earlier, up to about a
   * millisecond later. Only from the loop's thread. Delays of less than zero count as zero.
   */
  Timeout schedule(Runnable task, long delayMs);

  /** Whether the caller is on the loop's thread. */
  boolean isCurrent();

  /** The loop's clock: nanoseconds from an arbitrary origin. */
  long nanoTime();

  /** A task that waits for its time. */
  interface Timeout {

    /** Drops the task if it has not run; no effect otherwise. Only from the loop's thread. */
    void cancel();
  }
}
