package io.tidelog.bench.result;

import java.util.Locale;

/** The rows as text for a terminal and for a file. */
public final class Table {
  private static final String ROW = "%-22s %-26s %11s %11s  %-7s %8s  %-17s %-15s %s";

  private Table() {}

  /** The names of the columns. */
  public static String head() {
    return String.format(
        ROW, "load", "figure", "Tidelog", "beside", "", "ratio", "spread", "target", "met");
  }

  /** One row. */
  public static String row(Comparison row) {
    return String.format(
            Locale.ROOT,
            ROW,
            row.load(),
            row.figure().key(),
            number(Comparison.median(row.ours())),
            number(Comparison.median(row.theirs())),
            row.figure().against().name().toLowerCase(Locale.ROOT),
            ratio(row.ratio()),
            ratio(row.leastRatio()) + " to " + ratio(row.mostRatio()),
            row.figure().goal().text(),
            met(row))
        .stripTrailing();
  }

  private static String met(Comparison row) {
    if (!row.hasTarget()) {
      return "";
    }
    return row.isMet() ? "yes" : "NO";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : "%.2f", value);
  }

  private static String ratio(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
