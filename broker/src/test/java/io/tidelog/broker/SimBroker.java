package io.tidelog.broker;

import io.tidelog.store.Scheduler;
import io.tidelog.store.Surroundings;
import io.tidelog.store.ThreadScheduler;
import io.tidelog.testkit.PowerCut;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Starts brokers on a simulated disk and clock. */
final class SimBroker {
  static final Path DIRECTORY = Path.of("/data");

  private SimBroker() {}

  static TestBroker start(SimDisk disk) throws IOException {
    return start(disk, new SimClock(), background());
  }

  static TestBroker start(SimDisk disk, SimClock clock, Scheduler scheduler) throws IOException {
    return TestBroker.start(BrokerSettings.embedded(DIRECTORY), around(disk, clock, scheduler));
  }

  static Surroundings around(SimDisk disk, SimClock clock, Scheduler scheduler) {
    return new Surroundings(
        disk, clock, new SplittableRandom(1), scheduler, (kind, sentence) -> {});
  }

  static Scheduler background() {
    return ThreadScheduler.start(1, (sentence, cause) -> {});
  }

  /** Ends a broker whose disk has lost power. */
  static void endPowerless(TestBroker broker) throws IOException {
    try {
      broker.close();
    } catch (PowerCut expected) {
      // Nothing can be put in order any more.
    }
  }

  /** Background work that can be kept waiting. */
  static final class HeldScheduler implements Scheduler {
    private final Scheduler real = background();
    private final List<Runnable> held = new ArrayList<>();
    private boolean holds;

    synchronized void hold() {
      holds = true;
    }

    synchronized void release() {
      holds = false;
      held.forEach(real::execute);
      held.clear();
    }

    @Override
    public synchronized void execute(Runnable work) {
      if (holds) {
        held.add(work);
      } else {
        real.execute(work);
      }
    }

    @Override
    public void after(long delayMs, Runnable work) {
      real.after(delayMs, work);
    }

    @Override
    public void every(long periodMs, Runnable work) {
      real.every(periodMs, work);
    }

    @Override
    public void close() {
      real.close();
    }
  }
}
