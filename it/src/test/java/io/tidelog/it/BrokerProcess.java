package io.tidelog.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The real program as a child process, on loopback. Its log goes to this process's standard error.
 */
public final class BrokerProcess implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");
  private static final int STOP_SECONDS = 30;

  private final Process process;
  private final int port;

  private BrokerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** What a broker is started with. */
  public record Options(Path data, int port, List<String> jvm, List<String> settings) {
    public static Options of(Path data) {
      return new Options(data, 0, List.of("-Xmx256m"), List.of());
    }

    public Options onPort(int wanted) {
      return new Options(data, wanted, jvm, settings);
    }

    public Options withJvm(String... arguments) {
      return new Options(data, port, List.of(arguments), settings);
    }

    public Options with(String... keyValues) {
      return new Options(data, port, jvm, List.of(keyValues));
    }
  }

  /** Starts a broker and waits until it says that it is ready. */
  public static BrokerProcess start(Options options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options.jvm());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "io.tidelog.cli.Tidelog"));
    command.addAll(
        List.of(
            "serve",
            "--data",
            options.data().toString(),
            "--listen",
            "127.0.0.1:" + options.port()));
    for (String setting : options.settings()) {
      command.addAll(List.of("--set", setting));
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    Matcher matcher = ADDRESS.matcher(line == null ? "" : line);
    if (!matcher.find()) {
      process.destroyForcibly();
      throw new IOException("the broker did not say that it is ready but: " + line);
    }
    return new BrokerProcess(process, Integer.parseInt(matcher.group(1)));
  }

  public int port() {
    return port;
  }

  public String bootstrap() {
    return "127.0.0.1:" + port;
  }

  public long pid() {
    return process.pid();
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** SIGTERM; answers the exit code. */
  public int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(
          "the broker did not stop within " + STOP_SECONDS + " s of SIGTERM");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
