package io.tidelog.cli;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import java.io.PrintStream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Turns what a command throws into a line on standard error and an exit code. A stack trace is
 * shown for our own mistakes alone.
 */
final class Failures implements IExecutionExceptionHandler {
  private final PrintStream err;

  Failures(PrintStream err) {
    this.err = err;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof CommandException expected) {
      err.println("tidelog " + command.getCommandName() + ": " + expected.getMessage());
      return expected.exitCode();
    }
    err.println("tidelog " + command.getCommandName() + ": this is a mistake in Tidelog itself");
    e.printStackTrace(err);
    return ExitCode.FAILED;
  }
}
