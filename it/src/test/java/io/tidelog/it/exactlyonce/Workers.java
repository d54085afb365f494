package io.tidelog.it.exactlyonce;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Some {@link LoopWorker}s as child processes. Their complaints go to a file for each. */
final class Workers implements AutoCloseable {
  private static final int STOP_SECONDS = 30;

  private final String bootstrap;
  private final Path folder;
  private final long seed;
  private final String groupProtocol;
  private final List<Process> processes = new ArrayList<>();
  private int started;

  private Workers(String bootstrap, Path folder, long seed, String groupProtocol) {
    this.bootstrap = bootstrap;
    this.folder = folder;
    this.seed = seed;
    this.groupProtocol = groupProtocol;
  }

  static Workers start(int count, String bootstrap, Path folder, long seed, String groupProtocol)
      throws IOException {
    Workers workers = new Workers(bootstrap, folder, seed, groupProtocol);
    for (int i = 0; i < count; i++) {
      workers.processes.add(workers.start(i));
    }
    return workers;
  }

  private Process start(int index) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            LoopWorker.class.getName(),
            bootstrap,
            "worker-" + index,
            Long.toString(seed + started++),
            groupProtocol);
    Path said = folder.resolve("worker-" + index + ".log");
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
        .start();
  }

  /** SIGKILL, then another of the same name. */
  void replace(int index) throws IOException, InterruptedException {
    kill(index);
    processes.set(index, start(index));
  }

  /** SIGKILL. */
  void kill(int index) throws InterruptedException {
    processes.get(index).destroyForcibly().waitFor();
  }

  /** SIGTERM for all, and waits for their end. */
  void stop() throws InterruptedException {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("a worker did not end within " + STOP_SECONDS + " s of SIGTERM");
      }
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
