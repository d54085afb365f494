package io.tidelog.bench.load;

import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.wire.Tally;

/** What raw loads measure: processor time of the broker for each request and each GiB. */
public final class RawFigures {
  /** Broker CPU for each request. */
  public static final Figure PER_REQUEST = Figure.of("broker CPU", "us/request");

  /** Broker CPU for each GiB of records. */
  public static final Figure PER_GIB = Figure.of("broker CPU", "s/GiB");

  /** Requests a second. */
  public static final Figure RATE = Figure.of("throughput", "requests/s");

  private static final double US = 1e6;

  private RawFigures() {}

  /** What a pipeline did, and what it cost. */
  public static Sample sample(Tally tally, double cpuSeconds) {
    return new Sample()
        .with(PER_REQUEST, cpuSeconds * US / tally.requests())
        .with(PER_GIB, cpuSeconds / tally.gibibytes())
        .with(RATE, tally.requests() / tally.seconds());
  }
}
