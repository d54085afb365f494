package io.tidelog.bench.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Tidelog as a user starts it: through its launcher.
 *
 * @param launcher the {@code tidelog} script
 */
public record TidelogServer(Path launcher) implements Server {

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

  @Override
  public Map<String, String> durableTopic() {
    return Map.of("tidelog.durability", "fsync");
  }

  @Override
  public Map<String, String> headerTopic() {
    return Map.of("tidelog.batch.validation", "header");
  }
}
