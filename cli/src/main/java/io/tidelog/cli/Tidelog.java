package io.tidelog.cli;

import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.StopRequest;
import io.tidelog.cli.terminal.StopSignal;
import io.tidelog.cli.terminal.Streams;
import java.util.Optional;

/** The {@code tidelog} program. */
public final class Tidelog {
  /** Set by the launcher if standard error is a terminal. */
  private static final String TERMINAL_PROPERTY = "tidelog.terminal";

  private Tidelog() {}

  /**
   * Runs the command that the arguments name, and ends the process with its exit code: always,
   * since threads of a broker that did not get to its feet would keep it.
   */
  public static void main(String[] args) {
    Streams streams =
        Streams.ofProcess(
            Boolean.getBoolean(TERMINAL_PROPERTY)
                ? Streams.ErrorOutput.TERMINAL
                : Streams.ErrorOutput.REDIRECTED);
    StopSignal stop = StopSignal.install();
    int exitCode = ExitCode.FAILED;
    try {
      exitCode = run(streams, stop, args);
    } catch (Error e) {
      e.printStackTrace(streams.err());
    } finally {
      stop.exit(exitCode);
    }
  }

  /**
   * Runs a command and answers its exit code; never ends the process.
   *
   * @param args the command's name, then its options and arguments
   */
  public static int run(Streams streams, StopRequest stop, String... args) {
    Optional<ServeOptions> plain = ServeOptions.ofPlain(args);
    int exitCode =
        plain.isPresent()
            ? serve(streams, stop, plain.get())
            : Program.commandLine(streams, stop).execute(args);
    streams.out().flush();
    return exitCode;
  }

  private static int serve(Streams streams, StopRequest stop, ServeOptions options) {
    try {
      return new Serving(streams, stop).run(options);
    } catch (RuntimeException e) {
      return new Failures(streams.err()).exitCode("tidelog serve", e);
    }
  }
}
