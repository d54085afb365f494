package io.tidelog.store;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Work that another thread does at a moment of the test's choice, as far as it gets: until it ends,
 * or has to wait for the test's own thread.
 */
public final class Meanwhile {
  private static final int TIMEOUT_SECONDS = 30;

  private FutureTask<Void> task;

  /** What the other thread does. */
  @FunctionalInterface
  public interface Work {
    void run() throws Exception;
  }

  /** Whether it was started. */
  public boolean isStarted() {
    return task != null;
  }

  /** Starts the work; returns when it has ended or waits. */
  public void start(Work work) {
    task =
        new FutureTask<>(
            () -> {
              work.run();
              return null;
            });
    Thread thread = new Thread(task, "meanwhile");
    thread.start();
    while (isRunning(thread.getState())) {
      Thread.onSpinWait();
    }
  }

  private static boolean isRunning(Thread.State state) {
    return switch (state) {
      case NEW, RUNNABLE, TIMED_WAITING -> true;
      case BLOCKED, WAITING, TERMINATED -> false;
    };
  }

  /** Waits until the work has ended, and throws what it threw. */
  public void join() throws Exception {
    task.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}
