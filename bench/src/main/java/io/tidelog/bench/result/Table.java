package io.tidelog.bench.result;

import java.util.Locale;

/** The rows as a Markdown table, for a terminal and for a file. */
public final class Table {
  private static final String ROW =
      "| %-19s | %-25s | %8s | %8s | %-6s | %6s | %-15s | %-14s | %-3s |";
  private static final String LINE = "| --- | --- | ---: | ---: | --- | ---: | --- | --- | --- |";

  private Table() {}

  /** The names of the columns, and the line below them. */
  public static String head() {
    String names =
        String.format(
            ROW, "load", "figure", "Tidelog", "other", "which", "ratio", "spread", "target", "met");
    return names + '\n' + LINE;
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
        met(row));
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
