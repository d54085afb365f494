package io.tidelog.cli.explain;

import picocli.CommandLine.Command;

/** {@code tidelog explain}: the commands below it. */
@Command(
    name = "explain",
    description = {
      "Say why things in a log are as they are. Nothing is changed, and nothing is locked: it works"
          + " while a broker runs.",
      ""
    },
    synopsisSubcommandLabel = "COMMAND")
public final class ExplainCommand {}
