package io.tidelog.bench.result;

import java.util.ArrayList;
import java.util.List;

/**
 * One row of the table: pairs of values, each pair from two runs right after one another. What
 * counts is the ratio of each pair: what slows the machine down for minutes slows both.
 *
 * @param load which load
 * @param figure what was measured
 * @param ours Tidelog's values
 * @param theirs those of Kafka or of the floor, in the same order
 */
public record Comparison(String load, Figure figure, List<Double> ours, List<Double> theirs) {
  /** Kept as they are given. */
  public Comparison {
    if (ours.isEmpty() || ours.size() != theirs.size()) {
      throw new IllegalArgumentException("pairs are needed, got " + ours + " and " + theirs);
    }
    ours = List.copyOf(ours);
    theirs = List.copyOf(theirs);
  }

  /** Tidelog's value divided by the other's, for each pair. */
  public List<Double> ratios() {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ours.size(); i++) {
      ratios.add(ours.get(i) / theirs.get(i));
    }
    return ratios;
  }

  /** The median of the ratios. */
  public double ratio() {
    return median(ratios());
  }

  /** The smallest ratio. */
  public double leastRatio() {
    return ratios().stream().mapToDouble(ratio -> ratio).min().orElseThrow();
  }

  /** The largest ratio. */
  public double mostRatio() {
    return ratios().stream().mapToDouble(ratio -> ratio).max().orElseThrow();
  }

  /** Whether a target was set. */
  public boolean hasTarget() {
    return !figure.goal().equals(Figure.Goal.NONE);
  }

  /** Whether the median of the ratios is within the target. */
  public boolean isMet() {
    return figure.goal().isMetBy(ratio());
  }

  /** The middle one, or the mean of the two in the middle. */
  public static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
