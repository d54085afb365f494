package io.tidelog.bench.run;

import io.tidelog.bench.result.Comparison;
import io.tidelog.bench.result.Figure;
import io.tidelog.bench.result.Sample;
import io.tidelog.bench.server.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a load on both servers in turn, and on the floor if it has one. Who comes first changes from
 * pair to pair, so that neither always finds the machine as the other left it.
 */
public final class Pairs {
  private final Server tidelog;
  private final Server kafka;
  private final Plan plan;

  /** Compares these two. */
  public Pairs(Server tidelog, Server kafka, Plan plan) {
    this.tidelog = tidelog;
    this.kafka = kafka;
    this.plan = plan;
  }

  /** One row for each figure. */
  public List<Comparison> run(Load load) throws Exception {
    List<Sample> ours = new ArrayList<>();
    List<Sample> theirs = new ArrayList<>();
    List<Sample> floors = new ArrayList<>();
    try (Scratch scratch = new Scratch();
        Subject our = load.on(tidelog, scratch.folder("tidelog"), plan);
        Subject their = load.on(kafka, scratch.folder("kafka"), plan)) {
      our.warmUp();
      their.warmUp();
      for (int i = 0; i < plan.pairs(); i++) {
        if (i % 2 == 0) {
          ours.add(our.sample());
          theirs.add(their.sample());
        } else {
          theirs.add(their.sample());
          ours.add(our.sample());
        }
        Optional<Subject> floor = load.floor(scratch.folder("floor" + i), plan);
        if (floor.isPresent()) {
          try (Subject bare = floor.get()) {
            bare.warmUp();
            floors.add(bare.sample());
          }
        }
      }
    }
    return load.figures().stream()
        .map(figure -> row(load, figure, ours, isFloor(figure) ? floors : theirs))
        .toList();
  }

  private static boolean isFloor(Figure figure) {
    return figure.against() == Figure.Against.FLOOR;
  }

  private static Comparison row(Load load, Figure figure, List<Sample> ours, List<Sample> theirs) {
    return new Comparison(load.name(), figure, values(figure, ours), values(figure, theirs));
  }

  private static List<Double> values(Figure figure, List<Sample> samples) {
    return samples.stream().map(sample -> sample.value(figure)).toList();
  }
}
