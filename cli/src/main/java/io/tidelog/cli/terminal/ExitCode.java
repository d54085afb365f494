package io.tidelog.cli.terminal;

/** What the program answers to the shell; part of its API, listed in docs/operations.md. */
public final class ExitCode {
  /** Done, and nothing was found that is not as it should be. */
  public static final int OK = 0;

  /** Damage was found, or part of what was asked for failed. */
  public static final int FAILED = 1;

  /** The command line is wrong; nothing was done. */
  public static final int USAGE = 2;

  /** A file could not be read, a broker not be reached or not be started. */
  public static final int UNREACHABLE = 3;

  private ExitCode() {}
}
