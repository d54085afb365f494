package io.tidelog.bench.server;

import io.tidelog.testkit.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A broker's process. Whoever started it closes it. */
public final class RunningServer implements AutoCloseable {
  private static final int STOP_SECONDS = 120;

  private final Server server;
  private final int port;
  private final Process process;
  private final Path log;
  private final long startedNs;
  private final ProcessFigures figures;

  private RunningServer(Server server, int port, Process process, Path log, long startedNs) {
    this.server = server;
    this.port = port;
    this.process = process;
    this.log = log;
    this.startedNs = startedNs;
    this.figures = new ProcessFigures(process.pid());
  }

  /** Starts it on an empty directory; does not wait until it serves. */
  public static RunningServer startNew(Server server, Path directory)
      throws IOException, InterruptedException {
    int port = Ports.free();
    Files.createDirectories(directory);
    server.prepare(directory, port);
    return start(server, directory, port);
  }

  /** Starts it on what a former one left, on the same port. */
  public static RunningServer start(Server server, Path directory, int port) throws IOException {
    Path log = directory.resolve("server.log");
    ProcessBuilder command =
        server
            .command(directory, port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    long startedNs = System.nanoTime();
    return new RunningServer(server, port, command.start(), log, startedNs);
  }

  public Server server() {
    return server;
  }

  public int port() {
    return port;
  }

  public ProcessFigures figures() {
    return figures;
  }

  /** When its process was made, by System.nanoTime. */
  public long startedNs() {
    return startedNs;
  }

  /**
   * Nothing if it runs.
   *
   * @throws IOException with the end of its log if it has ended
   */
  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      String all = Files.readString(log, StandardCharsets.UTF_8);
      throw new IOException(
          server.name()
              + " has ended; its log ends with:\n"
              + all.substring(Math.max(0, all.length() - 4000)));
    }
  }

  /** SIGTERM, and waits until it is gone. */
  public void stop() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      kill();
      throw new IOException(
          server.name() + " did not stop within " + STOP_SECONDS + " s; its log is " + log);
    }
  }

  /** SIGKILL, and waits until it is gone. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** SIGKILL: what it leaves is deleted. */
  @Override
  public void close() {
    kill();
  }
}
