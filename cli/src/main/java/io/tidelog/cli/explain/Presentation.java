package io.tidelog.cli.explain;

import io.tidelog.cli.terminal.JsonRows;
import io.tidelog.cli.terminal.Rows;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.cli.terminal.TextRows;
import picocli.CommandLine.Option;

/** How answers are shown: an option of all commands of this package. */
final class Presentation {
  @Option(names = "--json", description = "One JSON object per line.")
  private boolean json;

  Rows rows(Streams streams) {
    return json ? new JsonRows(streams.out()) : new TextRows(streams.out());
  }
}
