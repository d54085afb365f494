package io.tidelog.cli;

import io.tidelog.broker.Broker;
import io.tidelog.broker.BrokerSettings;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Does once, in a directory of its own that it removes, what a broker and the commands do most: so
 * that the JVM can write down the classes that they need, for quick starts. The launcher runs it
 * with the options that make the JVM do that.
 */
public final class Rehearsal {
  private static final String TOPIC = "rehearsal";
  private static final byte[] LINES = "one:1\ntwo:2\nthree:3\n".getBytes(StandardCharsets.UTF_8);

  private final Path directory;

  private Rehearsal(Path directory) {
    this.directory = directory;
  }

  /** Rehearses; a failure ends the process with another code than 0. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("tidelog-rehearsal");
    try {
      new Rehearsal(directory).run();
    } finally {
      delete(directory);
    }
  }

  private void run() throws IOException {
    serve();
    BrokerSettings settings =
        BrokerSettings.embedded(directory).with("group.initial.rebalance.delay.ms", "0");
    try (Broker broker = Broker.start(settings)) {
      useBroker("127.0.0.1:" + broker.port());
    }
    // Again, for the way that a start takes on a directory in which there is something.
    serve();
    perform("dump", directory.resolve(TOPIC + "-0/00000000000000000000.log").toString());
    perform("--version");
  }

  /** The command itself, which stops at once, as if SIGTERM came while it starts. */
  private void serve() {
    require(
        Tidelog.run(
            silent(),
            action -> new Thread(action, "rehearsal-stop").start(),
            "serve",
            "--data",
            directory.toString(),
            "--listen",
            "127.0.0.1:0"));
  }

  private void useBroker(String address) {
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
    require(Tidelog.run(silent(), action -> {}, args));
  }

  private static void require(int exitCode) {
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

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder()).forEach(Rehearsal::deleteOne);
    }
  }

  private static void deleteOne(Path path) {
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
