package io.tidelog.cli;

import io.tidelog.cli.dump.DumpCommand;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.disk.NioDisk;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code tidelog} program. */
@Command(
    name = "tidelog",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Kafka's log: a broker for Kafka clients, and tools for its files.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 done, 1 damage was found or something failed, 2 wrong usage, 3 a file or a"
          + " broker could not be read, reached or started."
    })
public final class Tidelog {
  /** Set by the launcher if standard error is a terminal. */
  private static final String TERMINAL_PROPERTY = "tidelog.terminal";

  private static final int HELP_COLUMNS = 100;

  private Tidelog() {}

  /** Runs the command that the arguments name, and ends the process with its exit code. */
  public static void main(String[] args) {
    Streams streams =
        Streams.ofProcess(
            Boolean.getBoolean(TERMINAL_PROPERTY)
                ? Streams.ErrorOutput.TERMINAL
                : Streams.ErrorOutput.REDIRECTED);
    int exitCode = run(streams, args);
    System.exit(exitCode);
  }

  /**
   * Runs a command and answers its exit code; never throws and never ends the process.
   *
   * @param args the command's name, then its options and arguments
   */
  public static int run(Streams streams, String... args) {
    int exitCode = commandLine(streams).execute(args);
    streams.out().flush();
    return exitCode;
  }

  private static CommandLine commandLine(Streams streams) {
    CommandLine program =
        new CommandLine(new Tidelog()).addSubcommand(new DumpCommand(new NioDisk(), streams));
    return program
        .setOut(new PrintWriter(streams.out(), true))
        .setErr(new PrintWriter(streams.err(), true))
        .setUsageHelpWidth(HELP_COLUMNS)
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setExecutionExceptionHandler(new Failures(streams.err()));
  }
}
