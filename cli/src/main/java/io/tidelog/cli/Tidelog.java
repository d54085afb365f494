package io.tidelog.cli;

import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.StopRequest;
import io.tidelog.cli.terminal.StopSignal;
import io.tidelog.cli.terminal.Streams;
import io.tidelog.cli.verify.VerifyCommand;
import io.tidelog.disk.NioDisk;
import java.util.Optional;
import java.util.concurrent.Callable;

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
    Optional<Callable<Integer>> plain = plain(streams, stop, args);
    int exitCode =
        plain.isPresent()
            ? call(streams, "tidelog " + args[0], plain.get())
            : Program.commandLine(streams, stop).execute(args);
    streams.out().flush();
    return exitCode;
  }

  /** A command that can do without the parser, which takes long to load. */
  private static Optional<Callable<Integer>> plain(
      Streams streams, StopRequest stop, String... args) {
    Optional<ServeOptions> serve = ServeOptions.ofPlain(args);
    if (serve.isPresent()) {
      return Optional.of(() -> new Serving(streams, stop).run(serve.get()));
    }
    return VerifyCommand.ofPlain(new NioDisk(), streams, args).map(verify -> verify);
  }

  private static int call(Streams streams, String name, Callable<Integer> command) {
    try {
      return command.call();
    } catch (Exception e) {
      return new Failures(streams.err()).exitCode(name, e);
    }
  }
}
