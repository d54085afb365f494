package io.tidelog.bench.load;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.Payload;
import io.tidelog.bench.wire.Pipeline;
import io.tidelog.bench.wire.ProduceWork;
import io.tidelog.bench.wire.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Memory for each connection that has sent something once, and for each partition with a record.
 */
public final class Footprint implements Load {
  private static final Figure CONNECTION = Figure.of("idle connection", "KiB");
  private static final Figure PARTITION = Figure.of("partition", "KiB");
  private static final double KIB_PER_MIB = 1024;
  private static final Duration MOST = Duration.ofMinutes(5);

  @Override
  public String name() {
    return "footprint";
  }

  @Override
  public List<Figure> figures() {
    return List.of(CONNECTION, PARTITION);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) {
    return new Anew(server, directory, plan);
  }

  /** A server of its own for each sample: memory that was taken once is not given back. */
  private static final class Anew implements Subject {
    private final Server server;
    private final Path directory;
    private final Plan plan;
    private int runs;

    Anew(Server server, Path directory, Plan plan) {
      this.server = server;
      this.directory = directory;
      this.plan = plan;
    }

    @Override
    public Sample sample() throws Exception {
      Path folder = directory.resolve("run" + runs++);
      int connections = last(plan.sizes().connectionSteps());
      int partitions = plan.sizes().partitions() / 2;
      try (Serving serving = Serving.start(server, folder, plan)) {
        Topic one = serving.topic(1);
        produce(serving, one, 1);
        double atFirst = serving.server().figures().residentMiB();
        serving.connect(connections);
        produce(serving, one, connections);
        double connected = serving.server().figures().residentMiB();
        Topic many = serving.topic(partitions, Map.of());
        produce(serving, many, 1);
        double grown = serving.server().figures().residentMiB();
        return new Sample()
            .with(CONNECTION, (connected - atFirst) * KIB_PER_MIB / connections)
            .with(PARTITION, (grown - connected) * KIB_PER_MIB / partitions);
      }
    }

    private static int last(List<Integer> steps) {
      return steps.get(steps.size() - 1);
    }

    /** At least one record over each connection, and to each partition. */
    private static void produce(Serving serving, Topic topic, int connections) throws IOException {
      var batch = Payload.ONE_KIB.batch();
      int requests = Math.max(connections, topic.partitions());
      new Pipeline(serving.connect(connections), ProduceWork.inTurn(topic, batch), 1)
          .run(MOST, requests);
    }

    @Override
    public void close() {
      // Each sample has closed its server.
    }
  }
}
