package io.tidelog.bench.load;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A server with one topic and one connection that asks nothing. */
public final class Idle implements Load {
  private static final Figure CPU = Figure.of("idle CPU", "% of a core").atMost(1 / 20.0);
  private static final Figure MEMORY = Figure.of("resident", "MiB").atMost(1 / 4.0);
  private static final Figure SHARE = Figure.of("proportional", "MiB");

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public List<Figure> figures() {
    return List.of(CPU, MEMORY, SHARE);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    Serving serving = Serving.start(server, directory, plan);
    try {
      serving.topic(1);
      return new Running(serving);
    } catch (Exception e) {
      serving.close();
      throw e;
    }
  }

  private record Running(Serving serving) implements Subject {

    /** A start has things to do after it serves. */
    @Override
    public void warmUp() throws Exception {
      leaveAlone();
    }

    @Override
    public Sample sample() throws Exception {
      double before = serving.cpuSeconds();
      long begun = System.nanoTime();
      leaveAlone();
      double seconds = (System.nanoTime() - begun) / 1e9;
      return new Sample()
          .with(CPU, (serving.cpuSeconds() - before) * 100 / seconds)
          .with(MEMORY, serving.server().figures().residentMiB())
          .with(SHARE, serving.server().figures().proportionalMiB());
    }

    private void leaveAlone() {
      long end = System.nanoTime() + serving.plan().idle().toNanos();
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
    }

    @Override
    public void close() throws IOException {
      serving.close();
    }
  }
}
