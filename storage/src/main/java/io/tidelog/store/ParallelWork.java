package io.tidelog.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs pieces of work on a few threads; closing waits for all of them and throws what the first one
 * that failed threw. One thread means the caller's.
 */
final class ParallelWork implements AutoCloseable {
  private final ExecutorService pool;
  private final List<Future<?>> pieces = new ArrayList<>();

  /** A piece of work. */
  @FunctionalInterface
  interface Piece {
    void run() throws IOException;
  }

  private ParallelWork(ExecutorService pool) {
    this.pool = pool;
  }

  static ParallelWork start(int threads) {
    return new ParallelWork(
        threads <= 1 ? null : Executors.newFixedThreadPool(threads, ParallelWork::thread));
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "tidelog-open");
    thread.setDaemon(true);
    return thread;
  }

  void add(Piece piece) throws IOException {
    if (pool == null) {
      piece.run();
      return;
    }
    pieces.add(
        pool.submit(
            () -> {
              piece.run();
              return null;
            }));
  }

  @Override
  public void close() throws IOException {
    if (pool == null) {
      return;
    }
    pool.shutdown();
    Throwable failure = null;
    for (Future<?> piece : pieces) {
      Throwable outcome = await(piece);
      failure = failure == null ? outcome : failure;
    }
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  private static Throwable await(Future<?> piece) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          piece.get();
          return null;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          return e.getCause();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
