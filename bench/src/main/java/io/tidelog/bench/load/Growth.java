package io.tidelog.bench.load;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Does a request cost the same whatever else there is? Produce of 1 KiB a request, the same number
 * on their way each time, over more and more connections or to more and more partitions in turn.
 */
public final class Growth implements Load {
  private static final int DEPTH = 64;
  private static final int KIB = 1024;
  private static final int USUAL_CONNECTIONS = 4;

  private final Of of;
  private final List<Integer> steps;

  /** What there is more and more of. */
  public enum Of {
    CONNECTIONS,
    PARTITIONS;

    private String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** Growth in these steps. */
  public Growth(Of of, List<Integer> steps) {
    this.of = of;
    this.steps = List.copyOf(steps);
  }

  @Override
  public String name() {
    return "growth-" + of.label();
  }

  @Override
  public List<Figure> figures() {
    return steps.stream().map(this::figure).toList();
  }

  private Figure figure(int step) {
    return Figure.of("CPU, " + step + " " + of.label(), "us");
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    Serving serving = Serving.start(server, directory, plan);
    try {
      Map<Integer, Topic> topics = new LinkedHashMap<>();
      for (int step : steps) {
        topics.put(step, serving.topic(of == Of.PARTITIONS ? step : 1, Map.of()));
      }
      return new Running(serving, topics);
    } catch (Exception e) {
      serving.close();
      throw e;
    }
  }

  private final class Running implements Subject {
    private final Serving serving;
    private final Map<Integer, Topic> topics;

    Running(Serving serving, Map<Integer, Topic> topics) {
      this.serving = serving;
      this.topics = topics;
    }

    @Override
    public void warmUp() throws Exception {
      run(serving.plan().warmUp().dividedBy(2));
    }

    @Override
    public Sample sample() throws Exception {
      return run(serving.span());
    }

    private Sample run(Duration span) throws Exception {
      Sample sample = new Sample();
      for (int step : steps) {
        sample.with(figure(step), microseconds(step, span));
      }
      return sample;
    }

    private double microseconds(int step, Duration span) throws IOException {
      Topic topic = topics.get(step);
      long end = EndOffsets.sum(topic);
      int connections = of == Of.CONNECTIONS ? step : USUAL_CONNECTIONS;
      Pipeline pipeline =
          new Pipeline(
              new ArrayList<>(serving.connect(connections)),
              ProduceWork.inTurn(topic, Payload.ONE_KIB.batch()),
              DEPTH);
      double before = serving.cpuSeconds();
      Tally tally = pipeline.run(span, serving.plan().sizes().mostBytes() / 4 / KIB);
      double cpuSeconds = serving.cpuSeconds() - before;
      EndOffsets.requireAdded(topic, end, tally.requests());
      return cpuSeconds * 1e6 / tally.requests();
    }

    @Override
    public void close() throws IOException {
      serving.close();
    }
  }
}
