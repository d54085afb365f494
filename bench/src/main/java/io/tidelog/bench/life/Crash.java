package io.tidelog.bench.life;

import io.tidelog.bench.load.Serving;
import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Scratch;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.RunningServer;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.EndOffsets;
import io.tidelog.bench.wire.Payload;
import io.tidelog.bench.wire.Pipeline;
import io.tidelog.bench.wire.ProduceWork;
import io.tidelog.bench.wire.Tally;
import io.tidelog.bench.wire.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** kill -9 right after gibibytes were written, and the start after it until all of it is served. */
public final class Crash implements Load {
  private static final Figure TIME = Figure.of("served again", "ms").atMost(1 / 10.0);
  private static final Duration MOST = Duration.ofMinutes(5);
  private static final int DEPTH = 8;

  @Override
  public String name() {
    return "crash";
  }

  @Override
  public List<Figure> figures() {
    return List.of(TIME);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) {
    return new Anew(server, directory, plan);
  }

  private record Anew(Server server, Path directory, Plan plan) implements Subject {

    @Override
    public Sample sample() throws Exception {
      Path folder = directory.resolve("run");
      try {
        Topic topic;
        long records;
        try (Serving serving = Serving.start(server, folder, plan)) {
          topic = serving.topic(1, Map.of());
          records = fill(serving, topic);
        }
        try (RunningServer again = RunningServer.start(server, folder, topic.port())) {
          EndOffsets.awaitAll(again, topic, records);
          return new Sample().with(TIME, (System.nanoTime() - again.startedNs()) / 1e6);
        }
      } finally {
        Scratch.delete(folder);
      }
    }

    private long fill(Serving serving, Topic topic) throws Exception {
      var batch = Payload.MIB_1.batch();
      ProduceWork work = ProduceWork.toAll(topic, batch);
      long requests = plan.sizes().crashBytes() / batch.sizeInBytes();
      Tally tally = new Pipeline(serving.connect(1), work, DEPTH).run(MOST, requests);
      return tally.requests() * Payload.MIB_1.records();
    }

    @Override
    public void close() {
      // Each sample has killed its server.
    }
  }
}
