package io.tidelog.verify;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;

/**
 * The threads of one check. A task may hand in others and wait for them: meanwhile its thread does
 * those that no other has begun. One thread is the caller's own. With {@link #close} what is not
 * done yet is given up.
 */
final class CheckThreads implements AutoCloseable {
  private final int count;
  private final ForkJoinPool others;

  CheckThreads(int count) {
    this.count = count;
    this.others = count == 1 ? null : new ForkJoinPool(count);
  }

  /** What a task answers, once it has been done. */
  @FunctionalInterface
  interface Result<T> {
    T get() throws IOException;
  }

  /** How many there are. */
  int count() {
    return count;
  }

  <T> Result<T> submit(Callable<T> task) {
    if (others == null) {
      return () -> call(task);
    }
    Future<T> future = others.submit(task);
    return () -> await(future);
  }

  private static <T> T call(Callable<T> task) throws IOException {
    try {
      return task.call();
    } catch (Exception e) {
      throw ofTask(e);
    }
  }

  private static <T> T await(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw ofTask(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the check was interrupted", e);
    }
  }

  /** What a task threw, which a pool wraps. */
  private static IOException ofTask(Exception thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException failed) {
        return failed;
      }
    }
    throw new IllegalStateException(thrown);
  }

  @Override
  public void close() {
    if (others != null) {
      others.shutdownNow();
    }
  }
}
