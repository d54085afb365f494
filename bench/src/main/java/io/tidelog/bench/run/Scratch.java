package io.tidelog.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary folder. */
public final class Scratch implements AutoCloseable {
  private final Path folder;

  /** Makes one. */
  public Scratch() throws IOException {
    this.folder = Files.createTempDirectory("tidelog-bench");
  }

  /** A folder in it. */
  public Path folder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  @Override
  public void close() throws IOException {
    delete(folder);
  }

  /** Deletes a folder with all that is in it. */
  public static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.deleteIfExists(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
