package io.tidelog.cli;

import io.tidelog.cli.terminal.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a command did when it was run in this process.
 *
 * @param exitCode what the shell would get
 * @param outBytes standard output, byte for byte
 * @param err standard error
 */
public record CommandRun(int exitCode, byte[] outBytes, String err) {

  /** Runs a command with nothing on its standard input. */
  public static CommandRun of(String... args) {
    return withInput(new byte[0], args);
  }

  /** Runs a command with these bytes on its standard input. */
  public static CommandRun withInput(byte[] input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Tidelog.run(
            new Streams(
                new ByteArrayInputStream(input),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Streams.ErrorOutput.REDIRECTED),
            action -> {},
            args);
    return new CommandRun(exitCode, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  public String out() {
    return new String(outBytes, StandardCharsets.UTF_8);
  }

  public List<String> lines() {
    return out().lines().toList();
  }
}
