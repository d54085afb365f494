package io.tidelog.bench.run;

import java.time.Duration;
import java.util.List;

/**
 * How much is done for each row.
 *
 * @param name what it is called
 * @param pairs how many pairs are measured
 * @param times how long each thing takes
 * @param sizes how large the large things are
 */
public record Plan(String name, int pairs, Times times, Sizes sizes) {

  /**
   * How long each thing takes.
   *
   * @param warmUp how long a server is loaded before it is measured
   * @param span how long a sample takes
   * @param idle how long an idle server is watched
   */
  public record Times(Duration warmUp, Duration span, Duration idle) {}

  /**
   * How large the large things are.
   *
   * @param mostBytes after so many bytes of records a sample ends early: they have to fit in memory
   * @param crashBytes written before a kill
   * @param partitions of a server that is restarted
   * @param connectionSteps numbers of connections
   * @param partitionSteps numbers of partitions
   */
  public record Sizes(
      long mostBytes,
      long crashBytes,
      int partitions,
      List<Integer> connectionSteps,
      List<Integer> partitionSteps) {}

  /** The whole table. */
  public static final Plan FULL =
      new Plan(
          "full",
          5,
          new Times(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofSeconds(12)),
          new Sizes(
              2L << 30,
              4L << 30,
              2000,
              List.of(1, 10, 100, 1000, 5000),
              List.of(1, 100, 2000, 10_000)));

  /** Fewer and shorter: to see where one stands. */
  public static final Plan QUICK =
      new Plan(
          "quick",
          3,
          new Times(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3)),
          new Sizes(1L << 29, 1L << 30, 500, List.of(1, 100, 1000), List.of(1, 100, 1000)));

  /** One pair: shows that a load works, measures nothing. */
  public static final Plan TRY =
      new Plan(
          "try",
          1,
          new Times(Duration.ofMillis(300), Duration.ofMillis(700), Duration.ofSeconds(1)),
          new Sizes(1L << 28, 1L << 28, 100, List.of(1, 100), List.of(1, 100)));

  public Duration warmUp() {
    return times.warmUp;
  }

  public Duration span() {
    return times.span;
  }

  public Duration idle() {
    return times.idle;
  }
}
