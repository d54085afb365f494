package io.tidelog.cli;

import io.tidelog.cli.terminal.CommandException;
import io.tidelog.cli.terminal.ExitCode;
import java.io.PrintStream;

/**
 * Turns what a command throws into a line on standard error and an exit code. A stack trace is
 * shown for our own mistakes alone.
 */
final class Failures {
  private final PrintStream err;

  Failures(PrintStream err) {
    this.err = err;
  }

  /**
   * Says what happened, and answers the exit code.
   *
   * @param command its whole name, such as "tidelog topics list"
   */
  int exitCode(String command, Throwable thrown) {
    if (thrown instanceof CommandException expected) {
      err.println(command + ": " + expected.getMessage());
      return expected.exitCode();
    }
    err.println("tidelog " + command + ": this is a mistake in Tidelog itself");
    thrown.printStackTrace(err);
    return ExitCode.FAILED;
  }
}
