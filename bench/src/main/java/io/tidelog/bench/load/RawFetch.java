package io.tidelog.bench.load;

import io.tidelog.bench.floor.SendfileFloor;
import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.FetchWork;
import io.tidelog.bench.wire.Payload;
import io.tidelog.bench.wire.Pipeline;
import io.tidelog.bench.wire.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fetch from the page cache, pipelined.
 *
 * @param name what it is called
 * @param connections over how many connections; one where there is a floor, which has one too
 * @param batches how many 16 KiB batches a request asks for
 * @param figures what is asked of it
 */
public record RawFetch(String name, int connections, int batches, List<Figure> figures)
    implements Load {
  private static final int DEPTH = 16;
  private static final long FILL_BYTES = 1L << 28;

  /** Reading writes nothing, so there may be more of it than there is memory. */
  private static final long NO_BOUND = Long.MAX_VALUE;

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    Serving serving = Serving.start(server, directory, plan);
    try {
      return new Running(serving, Written.fill(serving, FILL_BYTES));
    } catch (Exception e) {
      serving.close();
      throw e;
    }
  }

  @Override
  public Optional<Subject> floor(Path directory, Plan plan) throws IOException {
    boolean hasFloor =
        figures.stream().anyMatch(figure -> figure.against() == Figure.Against.FLOOR);
    return hasFloor
        ? Optional.of(SendfileFloor.start(directory, plan, RawFigures.PER_GIB))
        : Optional.empty();
  }

  private final class Running extends ServedSubject {
    private final Written written;

    Running(Serving serving, Written written) {
      super(serving);
      this.written = written;
    }

    @Override
    Sample run(Duration span) throws Exception {
      FetchWork.Step step =
          new FetchWork.Step(batches * written.batchBytes(), batches * Payload.KIB_16.records());
      Pipeline pipeline =
          new Pipeline(
              serving.connect(connections),
              new FetchWork(written.topic(), step, written.records()),
              DEPTH);
      double before = serving.cpuSeconds();
      Tally tally = pipeline.run(span, NO_BOUND);
      return RawFigures.sample(tally, serving.cpuSeconds() - before);
    }
  }
}
