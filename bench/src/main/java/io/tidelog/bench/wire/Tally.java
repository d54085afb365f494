package io.tidelog.bench.wire;

import org.HdrHistogram.Histogram;

/**
 * What a pipeline has done.
 *
 * @param requests all of them answered without an error
 * @param bytes of records
 * @param seconds from the first request to the last answer
 * @param latenciesNs from each request to its answer
 */
public record Tally(long requests, long bytes, double seconds, Histogram latenciesNs) {
  private static final double GIB = 1L << 30;

  /** Gibibytes of records. */
  public double gibibytes() {
    return bytes / GIB;
  }
}
