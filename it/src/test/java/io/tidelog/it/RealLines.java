package io.tidelog.it;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file of at least 100,000 lines that nobody generated: the lists of files of the Debian packages
 * that this machine has.
 */
final class RealLines {
  private static final Path LISTS = Path.of("/var/lib/dpkg/info");
  private static final int LEAST = 100_000;

  private RealLines() {}

  /** Writes the lines to a file, each with a line feed, none empty. */
  static Path into(Path file) throws IOException {
    int lines = 0;
    try (Stream<Path> lists = Files.list(LISTS);
        BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      for (Path list : lists.filter(path -> path.toString().endsWith(".list")).sorted().toList()) {
        for (String line : Files.readAllLines(list, StandardCharsets.UTF_8)) {
          if (!line.isEmpty()) {
            out.write(line);
            out.write('\n');
            lines++;
          }
        }
      }
    }
    if (lines < LEAST) {
      throw new IllegalStateException(
          LISTS + " gave " + lines + " lines, expected " + LEAST + " or more");
    }
    return file;
  }

  static List<String> of(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.UTF_8);
  }
}
