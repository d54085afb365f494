package io.tidelog.bench.load;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Load;
import io.tidelog.bench.run.Plan;
import io.tidelog.bench.run.Subject;
import io.tidelog.bench.server.Server;
import io.tidelog.bench.wire.EndOffsets;
import io.tidelog.bench.wire.IdempotentWork;
import io.tidelog.bench.wire.Payload;
import io.tidelog.bench.wire.Pipeline;
import io.tidelog.bench.wire.RawConnection;
import io.tidelog.bench.wire.Tally;
import io.tidelog.bench.wire.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Produce by four idempotent producers, 16 KiB a request. */
public final class IdempotentProduce implements Load {
  private static final int CONNECTIONS = 4;
  private static final int DEPTH = 16;
  private static final int KIB_16 = 16 * 1024;

  @Override
  public String name() {
    return "produce-idempotent";
  }

  @Override
  public List<Figure> figures() {
    return List.of(RawFigures.PER_REQUEST.atMost(1 / 4.0), RawFigures.RATE);
  }

  @Override
  public Subject on(Server server, Path directory, Plan plan) throws Exception {
    return new Running(Serving.start(server, directory, plan));
  }

  private static final class Running extends ServedSubject {
    Running(Serving serving) {
      super(serving);
    }

    @Override
    Sample run(Duration span) throws Exception {
      Topic topic = serving.topic(CONNECTIONS);
      List<RawConnection> connections = serving.connect(CONNECTIONS);
      Pipeline pipeline =
          new Pipeline(connections, new IdempotentWork(topic, Payload.KIB_16, connections), DEPTH);
      double before = serving.cpuSeconds();
      Tally tally = pipeline.run(span, serving.plan().sizes().mostBytes() / KIB_16);
      double cpuSeconds = serving.cpuSeconds() - before;
      EndOffsets.requireAdded(topic, 0, tally.requests() * Payload.KIB_16.records());
      topic.delete();
      return RawFigures.sample(tally, cpuSeconds);
    }
  }
}
