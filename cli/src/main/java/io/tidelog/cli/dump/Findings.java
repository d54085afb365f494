package io.tidelog.cli.dump;

import io.tidelog.cli.terminal.Row;
import io.tidelog.cli.terminal.Rows;
import java.nio.file.Path;

/** Rows, and a count of the damage among them. */
final class Findings implements Rows {
  private final Rows rows;
  private int count;

  Findings(Rows rows) {
    this.rows = rows;
  }

  @Override
  public void row(Row row) {
    rows.row(row);
  }

  /**
   * Shows damage.
   *
   * @param sentence names the file and the place, what was found and what was expected
   */
  void damage(Path file, String sentence) {
    count++;
    rows.row(Row.of("damage").with("file", file.toString()).with("message", sentence));
  }

  int count() {
    return count;
  }
}
