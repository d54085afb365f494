package io.tidelog.bench.life;

import io.tidelog.bench.load.Serving;
import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.RunningServer;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.EndOffsets;
import io.tidelog.bench.wire.Payload;
import io.tidelog.bench.wire.Pipeline;
import io.tidelog.bench.wire.ProduceWork;
import io.tidelog.bench.wire.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A start after a clean stop, with many partitions, until all are served; and the stop. */
public final class Restart implements Load {
  private static final Figure TIME = Figure.of("all served", "ms").atMost(1 / 12.0);
  private static final Figure MEMORY = Figure.of("resident", "MiB").atMost(1 / 3.0);
  private static final Figure STOP = Figure.of("clean stop", "ms").atMost(1 / 10.0);
  private static final Duration MOST = Duration.ofMinutes(5);
  private static final int DEPTH = 16;

  @Override
  public String name() {
    return "restart";
  }

  @Override
  public List<Figure> figures() {
    return List.of(TIME, MEMORY, STOP);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    try (Serving serving = Serving.start(server, directory, plan)) {
      Topic topic = serving.topic(plan.sizes().partitions(), Map.of());
      var batch = Payload.ONE_KIB.batch();
      new Pipeline(serving.connect(1), ProduceWork.inTurn(topic, batch), DEPTH)
          .run(MOST, topic.partitions());
      EndOffsets.requireAdded(topic, 0, topic.partitions());
      serving.server().stop();
      return new Stopped(server, directory, topic);
    }
  }

  private record Stopped(Server server, Path directory, Topic topic) implements Subject {

    @Override
    public Sample sample() throws Exception {
      try (RunningServer running = RunningServer.start(server, directory, topic.port())) {
        EndOffsets.awaitAll(running, topic, topic.partitions());
        double ms = (System.nanoTime() - running.startedNs()) / 1e6;
        double residentMiB = running.figures().residentMiB();
        long stopping = System.nanoTime();
        running.stop();
        double stopMs = (System.nanoTime() - stopping) / 1e6;
        return new Sample().with(TIME, ms).with(MEMORY, residentMiB).with(STOP, stopMs);
      }
    }

    @Override
    public void close() {
      // Each sample has stopped its server.
    }
  }
}
