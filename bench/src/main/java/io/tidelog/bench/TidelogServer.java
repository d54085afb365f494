package io.tidelog.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * Tidelog as a user starts it: through its launcher.
 *
 * @param launcher the {@code tidelog} script
 */
record TidelogServer(Path launcher) implements Server {

  @Override
  public String name() {
    return "Tidelog";
  }

  @Override
  public void prepare(Path directory, int port) {
    // It makes its directory itself.
  }

  @Override
  public ProcessBuilder command(Path directory, int port) {
    return new ProcessBuilder(
        List.of(
            launcher.toString(),
            "serve",
            "--data",
            directory.resolve("data").toString(),
            "--listen",
            "127.0.0.1:" + port));
  }
}
