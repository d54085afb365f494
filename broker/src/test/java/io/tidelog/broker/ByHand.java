package io.tidelog.broker;

import io.tidelog.store.Scheduler;
import java.util.ArrayList;
import java.util.List;

/** Background work of which a test runs the part that comes again and again, when it likes. */
final class ByHand implements Scheduler {
  private final Scheduler real = SimBroker.background();
  private final List<Runnable> again = new ArrayList<>();

  @Override
  public void execute(Runnable work) {
    real.execute(work);
  }

  @Override
  public void after(long delayMs, Runnable work) {
    real.after(delayMs, work);
  }

  @Override
  public synchronized void every(long periodMs, Runnable work) {
    again.add(work);
  }

  /** Retention, flushes, checkpoints, looks at the disk: each once. */
  void runAll() {
    List<Runnable> all;
    synchronized (this) {
      all = List.copyOf(again);
    }
    all.forEach(Runnable::run);
  }

  @Override
  public void close() {
    real.close();
  }
}
