package io.tidelog.bench.load;

import io.tidelog.bench.result.Sample;
import io.tidelog.bench.run.Subject;
import java.io.IOException;
import java.time.Duration;

/** A load on one server that warms up with what it measures, for a shorter time. */
abstract class ServedSubject implements Subject {
  final Serving serving;

  /**
   * A load that has the server to itself.
   *
   * @param serving closed with this
   */
  ServedSubject(Serving serving) {
    this.serving = serving;
  }

  @Override
  public final void warmUp() throws Exception {
    run(serving.plan().warmUp());
  }

  @Override
  public final Sample sample() throws Exception {
    return run(serving.span());
  }

  /** Loads the server for about so long. */
  abstract Sample run(Duration span) throws Exception;

  @Override
  public void close() throws IOException {
    serving.close();
  }
}
