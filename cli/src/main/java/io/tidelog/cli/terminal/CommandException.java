package io.tidelog.cli.terminal;

/** A command ends here: the message is for the person at the terminal, one sentence or two. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Part of what was asked for failed. */
  public static CommandException failed(String message) {
    return new CommandException(ExitCode.FAILED, message);
  }

  /** An argument is wrong. */
  public static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }

  /** Something that the command needs cannot be read, reached or started. */
  public static CommandException unreachable(String message) {
    return new CommandException(ExitCode.UNREACHABLE, message);
  }

  /** One of {@link ExitCode}. */
  public int exitCode() {
    return exitCode;
  }
}
