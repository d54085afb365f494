package io.tidelog.bench.result;

/**
 * Something that a load measures, and what Tidelog's value divided by the other's is to be.
 *
 * @param name what it is called in a table
 * @param unit of a sample's value
 * @param against whose value it is divided by
 * @param goal which ratios are good enough
 */
public record Figure(String name, String unit, Against against, Goal goal) {
  /** Whose value Tidelog's is divided by. */
  public enum Against {
    KAFKA,
    /** A bare loop around the same system calls. */
    FLOOR
  }

  /**
   * Which ratios are good enough.
   *
   * @param least the smallest
   * @param most the largest
   */
  public record Goal(double least, double most) {
    static final Goal NONE = new Goal(0, Double.POSITIVE_INFINITY);

    /** How a table shows it. */
    String text() {
      if (least > 0) {
        return String.format("at least %.3g", least);
      }
      return Double.isInfinite(most) ? "" : String.format("at most %.3g", most);
    }

    boolean isMetBy(double ratio) {
      return ratio >= least && ratio <= most;
    }
  }

  /** What a sample calls it: name and unit. */
  public String key() {
    return name + ", " + unit;
  }

  /** A figure without a target, beside Kafka's. */
  public static Figure of(String name, String unit) {
    return new Figure(name, unit, Against.KAFKA, Goal.NONE);
  }

  /** The same, with a largest ratio. */
  public Figure atMost(double ratio) {
    return new Figure(name, unit, against, new Goal(0, ratio));
  }

  /** The same, with a smallest ratio. */
  public Figure atLeast(double ratio) {
    return new Figure(name, unit, against, new Goal(ratio, Double.POSITIVE_INFINITY));
  }

  /** The same, beside the floor's. */
  public Figure besideFloor() {
    return new Figure(name, unit, Against.FLOOR, goal);
  }
}
