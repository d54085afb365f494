package io.tidelog.bench.result;

import java.util.LinkedHashMap;
import java.util.Map;

/** What one run of a load measured, by figure. */
public final class Sample {
  private final Map<String, Double> values = new LinkedHashMap<>();

  /** Adds a value. */
  public Sample with(Figure figure, double value) {
    values.put(figure.key(), value);
    return this;
  }

  /**
   * The value of a figure.
   *
   * @throws IllegalStateException if the load did not measure it
   */
  public double value(Figure figure) {
    Double value = values.get(figure.key());
    if (value == null) {
      throw new IllegalStateException("the load did not measure \"" + figure.key() + '"');
    }
    return value;
  }
}
