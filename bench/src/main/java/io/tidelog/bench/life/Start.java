package io.tidelog.bench.life;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Scratch;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.RunningServer;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.FirstProduce;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * From exec on an empty directory to the first answer and the first acknowledged record, and the
 * memory then.
 */
public final class Start implements Load {
  private static final Figure ANSWER = Figure.of("first answer", "ms");
  private static final Figure TIME = Figure.of("first record", "ms").atMost(1 / 10.0);
  private static final Figure MEMORY = Figure.of("resident", "MiB").atMost(1 / 4.0);

  @Override
  public String name() {
    return "start";
  }

  @Override
  public List<Figure> figures() {
    return List.of(ANSWER, TIME, MEMORY);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) {
    return new Anew(server, directory);
  }

  private record Anew(Server server, Path directory) implements Subject {

    /** What is on disk is in the page cache from here on, for both. */
    @Override
    public void warmUp() throws Exception {
      sample();
    }

    @Override
    public Sample sample() throws Exception {
      Path folder = directory.resolve("run");
      try (RunningServer running = RunningServer.startNew(server, folder)) {
        FirstProduce.Moments moments = FirstProduce.await(running);
        double residentMiB = running.figures().residentMiB();
        running.stop();
        return new Sample()
            .with(ANSWER, (moments.answeredNs() - running.startedNs()) / 1e6)
            .with(TIME, (moments.producedNs() - running.startedNs()) / 1e6)
            .with(MEMORY, residentMiB);
      } finally {
        Scratch.delete(folder);
      }
    }

    @Override
    public void close() throws IOException {
      // Each sample has stopped its server.
    }
  }
}
