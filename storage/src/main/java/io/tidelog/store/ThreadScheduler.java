package io.tidelog.store;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** A small pool of named daemon threads. */
public final class ThreadScheduler implements Scheduler {
  private final ScheduledThreadPoolExecutor pool;
  private final BiConsumer<String, Throwable> failures;

  private ThreadScheduler(
      ScheduledThreadPoolExecutor pool, BiConsumer<String, Throwable> failures) {
    this.pool = pool;
    this.failures = failures;
  }

  /**
   * Starts the pool; threads come up as work does.
   *
   * @param threads most threads
   * @param failures told when a piece of work ends with an exception
   */
  public static ThreadScheduler start(int threads, BiConsumer<String, Throwable> failures) {
    AtomicInteger number = new AtomicInteger();
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(
            threads,
            work -> {
              Thread thread = new Thread(work, "tidelog-background-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    pool.setRemoveOnCancelPolicy(true);
    pool.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    return new ThreadScheduler(pool, failures);
  }

  @Override
  public void execute(Runnable work) {
    pool.execute(guarded(work));
  }

  @Override
  public void after(long delayMs, Runnable work) {
    Future<?> unused = pool.schedule(guarded(work), delayMs, TimeUnit.MILLISECONDS);
  }

  @Override
  public void every(long periodMs, Runnable work) {
    Future<?> unused =
        pool.scheduleWithFixedDelay(guarded(work), periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  private Runnable guarded(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        failures.accept("background work failed: " + e, e);
      }
    };
  }

  @Override
  public void close() {
    pool.shutdown();
    boolean interrupted = false;
    while (true) {
      try {
        if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
          break;
        }
        pool.shutdownNow();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
