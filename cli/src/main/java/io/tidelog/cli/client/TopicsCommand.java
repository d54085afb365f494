package io.tidelog.cli.client;

import picocli.CommandLine.Command;

/** {@code tidelog topics}: holds the commands on topics. */
@Command(
    name = "topics",
    synopsisSubcommandLabel = "COMMAND",
    description = "List, create, describe or delete topics.")
public final class TopicsCommand {}
