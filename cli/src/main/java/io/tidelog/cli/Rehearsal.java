package io.tidelog.cli;

import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.StopSignal;
import io.tidelog.cli.terminal.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Uses every command but {@code serve} once, on a broker that runs for this purpose and on what it
 * leaves: so that the JVMs can write down the classes that they need, for quick starts. The
 * launcher runs it with the options that make them do that.
 */
public final class Rehearsal {
  private static final String TOPIC = "rehearsal";
  private static final byte[] LINES = "one:1\ntwo:2\nthree:3\n".getBytes(StandardCharsets.UTF_8);

  private Rehearsal() {}

  /**
   * Rehearses.
   *
   * @param args {@code tools}, the broker's address and its data directory; or {@code verify} and
   *     that directory
   */
  public static void main(String[] args) {
    StopSignal stop = StopSignal.install();
    if (args[0].equals("verify")) {
      perform("verify", args[1]);
      perform("verify", partition(args[1]));
      perform("verify", "--deep", args[1]);
    } else {
      useBroker(args[1]);
      perform("dump", partition(args[2]) + "/00000000000000000000.log");
      perform("--version");
    }
    stop.exit(ExitCode.OK);
  }

  private static String partition(String data) {
    return data + "/" + TOPIC + "-0";
  }

  private static void useBroker(String address) {
    for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
      perform(
          "produce", TOPIC, "--key-separator=:", "--compression=" + codec, "--bootstrap", address);
    }
    perform("topics", "list", "--bootstrap", address);
    perform("topics", "describe", TOPIC, "--bootstrap", address);
    perform("consume", TOPIC, "--exit-at-end", "--format=json", "--bootstrap", address);
    for (String protocol : List.of("classic", "consumer")) {
      perform(
          "consume",
          TOPIC,
          "--exit-at-end",
          "--group=" + protocol,
          "--client=group.protocol=" + protocol,
          "--bootstrap",
          address);
    }
  }

  private static void perform(String... args) {
    int exitCode = Tidelog.run(silent(), action -> {}, args);
    if (exitCode != ExitCode.OK) {
      throw new IllegalStateException("a command ended with exit code " + exitCode);
    }
  }

  private static Streams silent() {
    return new Streams(
        new ByteArrayInputStream(LINES),
        new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
        System.err,
        Streams.ErrorOutput.REDIRECTED);
  }
}
