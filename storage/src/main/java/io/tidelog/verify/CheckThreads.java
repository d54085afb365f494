package io.tidelog.verify;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads of one check. With {@link #close} what is not done yet is given up. */
final class CheckThreads implements AutoCloseable {
  private final ExecutorService threads;

  CheckThreads(int count) {
    this.threads =
        Executors.newFixedThreadPool(
            count,
            work -> {
              Thread thread = new Thread(work, "tidelog-verify");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** What a task answers, once it has been done. */
  @FunctionalInterface
  interface Result<T> {
    T get() throws IOException;
  }

  <T> Result<T> submit(Callable<T> task) {
    Future<T> future = threads.submit(task);
    return () -> await(future);
  }

  private static <T> T await(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the check was interrupted", e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
