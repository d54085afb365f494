package io.tidelog.cli;

import io.tidelog.cli.client.ConsumeCommand;
import io.tidelog.cli.client.ProduceCommand;
import io.tidelog.cli.client.TopicsCommand;
import io.tidelog.cli.client.TopicsCreateCommand;
import io.tidelog.cli.client.TopicsDeleteCommand;
import io.tidelog.cli.client.TopicsDescribeCommand;
import io.tidelog.cli.client.TopicsListCommand;
import io.tidelog.cli.dump.DumpCommand;
import io.tidelog.cli.explain.ExplainBytesCommand;
import io.tidelog.cli.explain.ExplainCommand;
import io.tidelog.cli.explain.ExplainCompactionCommand;
import io.tidelog.cli.explain.ExplainLsoCommand;
import io.tidelog.cli.explain.ExplainOffsetCommand;
import io.tidelog.cli.explain.ExplainRetentionCommand;
import io.tidelog.cli.repair.RepairCommand;
import io.tidelog.cli.terminal.StopRequest;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.cli.verify.VerifyCommand;
import io.tidelog.disk.NioDisk;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** All commands, as the command line has them. */
@Command(
    name = "tidelog",
    versionProvider = Version.class,
    description = "Kafka's log: a broker for Kafka clients, and tools for its files.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 done, 1 damage was found or something failed, 2 wrong usage, 3 a file or a"
          + " broker could not be read, reached or started."
    })
@SuppressWarnings("UnusedVariable") // picocli sets and reads the options
final class Program {
  private static final int HELP_COLUMNS = 100;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this text and do nothing else.")
  private boolean isHelpWanted;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version and do nothing else.")
  private boolean isVersionWanted;

  private Program() {}

  /** The parser, and behind it the commands. */
  static CommandLine commandLine(Streams streams, StopRequest stop) {
    return new CommandLine(new Program())
        .addSubcommand(new ServeCommand(streams, stop))
        .addSubcommand(topics(streams))
        .addSubcommand(new ProduceCommand(streams))
        .addSubcommand(new ConsumeCommand(streams, stop))
        .addSubcommand(new DumpCommand(new NioDisk(), streams))
        .addSubcommand(explain(streams))
        .addSubcommand(new VerifyCommand(new NioDisk(), streams))
        .addSubcommand(new RepairCommand(new NioDisk(), streams))
        .setOut(new PrintWriter(streams.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(streams.err(), true, StandardCharsets.UTF_8))
        .setUsageHelpWidth(HELP_COLUMNS)
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setExecutionExceptionHandler(
            (thrown, command, parsed) ->
                new Failures(streams.err())
                    .exitCode(command.getCommandSpec().qualifiedName(), thrown));
  }

  private static CommandLine explain(Streams streams) {
    NioDisk disk = new NioDisk();
    return new CommandLine(new ExplainCommand())
        .addSubcommand(new ExplainRetentionCommand(disk, InstantSource.system(), streams))
        .addSubcommand(new ExplainCompactionCommand(disk, InstantSource.system(), streams))
        .addSubcommand(new ExplainLsoCommand(disk, streams))
        .addSubcommand(new ExplainOffsetCommand(disk, streams))
        .addSubcommand(new ExplainBytesCommand(disk, streams));
  }

  private static CommandLine topics(Streams streams) {
    return new CommandLine(new TopicsCommand())
        .addSubcommand(new TopicsListCommand(streams))
        .addSubcommand(new TopicsCreateCommand(streams))
        .addSubcommand(new TopicsDescribeCommand(streams))
        .addSubcommand(new TopicsDeleteCommand(streams));
  }
}
