package io.tidelog.bench.load;

import io.tidelog.bench.floor.ReceiveFloor;
import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.EndOffsets;
import io.tidelog.bench.wire.Payload;
import io.tidelog.bench.wire.Pipeline;
import io.tidelog.bench.wire.ProduceWork;
import io.tidelog.bench.wire.Tally;
import io.tidelog.bench.wire.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Produce with acks=all, pipelined over four connections: each request has one batch for each
 * partition.
 *
 * @param name what it is called
 * @param payload the batch
 * @param partitions how many partitions each request is about
 * @param checks how much of a batch is checked
 * @param figures what is asked of it
 */
public record RawProduce(
    String name, Payload payload, int partitions, Checks checks, List<Figure> figures)
    implements Load {
  private static final int CONNECTIONS = 4;
  private static final int DEPTH = 32;

  /** As many bytes on their way as make the 1 MiB batches a stream. */
  private static final int LARGE_DEPTH = 8;

  private static final int LARGE_BYTES = 1 << 19;

  /** How much of a batch is checked. */
  public enum Checks {
    /** What is checked by default. */
    USUAL,
    /** Header and CRC, by a server that can do with that. */
    HEADER
  }

  /** One whose batches are checked as by default. */
  public RawProduce(String name, Payload payload, int partitions, List<Figure> figures) {
    this(name, payload, partitions, Checks.USUAL, figures);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    return new Running(Serving.start(server, directory, plan));
  }

  @Override
  public Optional<Subject> floor(Path directory, Plan plan) throws IOException {
    return hasFloor()
        ? Optional.of(ReceiveFloor.start(directory, plan, RawFigures.PER_GIB))
        : Optional.empty();
  }

  private boolean hasFloor() {
    return figures.stream().anyMatch(figure -> figure.against() == Figure.Against.FLOOR);
  }

  private int depth(int batchBytes) {
    return batchBytes >= LARGE_BYTES ? LARGE_DEPTH : DEPTH;
  }

  private Map<String, String> configs(Server server) {
    return checks == Checks.HEADER ? server.headerTopic() : Map.of();
  }

  private final class Running extends ServedSubject {
    Running(Serving serving) {
      super(serving);
    }

    @Override
    Sample run(Duration span) throws Exception {
      Topic topic = serving.shortLivedTopic(partitions, configs(serving.server().server()));
      var batch = payload.batch();
      Pipeline pipeline =
          new Pipeline(
              serving.connect(CONNECTIONS),
              ProduceWork.toAll(topic, batch),
              depth(batch.sizeInBytes()));
      double before = serving.cpuSeconds();
      long most = serving.plan().sizes().mostBytes() / batch.sizeInBytes() / partitions;
      Tally tally = pipeline.run(span, most);
      double cpuSeconds = serving.cpuSeconds() - before;
      EndOffsets.requireAdded(topic, 0, tally.requests() * partitions * payload.records());
      topic.delete();
      return RawFigures.sample(tally, cpuSeconds);
    }
  }
}
