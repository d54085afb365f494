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
import io.tidelog.bench.wire.RawConnection;
import io.tidelog.bench.wire.Tally;
import io.tidelog.bench.wire.Topic;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Eight producers on one partition, acks=all, one record of 1 KiB at a time each, and an
 * acknowledgement means: on disk. Tidelog has tidelog.durability=fsync for that, Kafka
 * flush.messages=1.
 */
public final class Durable implements Load {
  private static final Figure RATE = Figure.of("acknowledged", "records/s").atLeast(5);
  private static final Figure P50 = Figure.of("p50", "ms");
  private static final Figure P99 = Figure.of("p99", "ms");

  private static final int PRODUCERS = 8;
  private static final int DIGITS = 3;
  private static final double MS = 1e6;

  @Override
  public String name() {
    return "durable";
  }

  @Override
  public List<Figure> figures() {
    return List.of(RATE, P50, P99);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    return new Running(
        Serving.start(server, directory, plan), Executors.newFixedThreadPool(PRODUCERS));
  }

  private static final class Running extends ServedSubject {
    private final ExecutorService threads;

    Running(Serving serving, ExecutorService threads) {
      super(serving);
      this.threads = threads;
    }

    @Override
    Sample run(Duration span) throws Exception {
      Topic topic = serving.topic(1, serving.server().server().durableTopic());
      List<Future<Tally>> running = new ArrayList<>();
      for (RawConnection connection : serving.connect(PRODUCERS)) {
        ProduceWork work = ProduceWork.toAll(topic, Payload.ONE_KIB.batch());
        Pipeline producer = new Pipeline(List.of(connection), work, 1);
        running.add(threads.submit(() -> producer.run(span, Long.MAX_VALUE)));
      }
      long requests = 0;
      double perSecond = 0;
      Histogram latencies = new Histogram(DIGITS);
      for (Future<Tally> each : running) {
        Tally tally = each.get();
        requests += tally.requests();
        perSecond += tally.requests() / tally.seconds();
        latencies.add(tally.latenciesNs());
      }
      EndOffsets.requireAdded(topic, 0, requests);
      topic.delete();
      return new Sample()
          .with(RATE, perSecond)
          .with(P50, latencies.getValueAtPercentile(50) / MS)
          .with(P99, latencies.getValueAtPercentile(99) / MS);
    }

    @Override
    public void close() throws IOException {
      threads.shutdownNow();
      super.close();
    }
  }
}
