package io.tidelog.it.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** kcat as a member of a group, until it is told to leave. */
final class KcatMember implements AutoCloseable {
  private static final String ASSIGNED = "assigned:";

  private final Process process;
  private final Path values;
  private final Path rebalances;

  private KcatMember(Process process, Path values, Path rebalances) {
    this.process = process;
    this.values = values;
    this.rebalances = rebalances;
  }

  static KcatMember join(JavaClient names, String topic, Path file) throws IOException {
    Path rebalances = file.resolveSibling(file.getFileName() + ".stderr");
    ProcessBuilder builder =
        new ProcessBuilder("kcat", "-b", names.bootstrap(), "-u", "-G", names.name("group"));
    builder.command().addAll(List.of("-X", "heartbeat.interval.ms=200"));
    builder.command().addAll(List.of("-X", "auto.offset.reset=earliest", topic));
    Process process =
        builder.redirectOutput(file.toFile()).redirectError(rebalances.toFile()).start();
    return new KcatMember(process, file, rebalances);
  }

  /** How many partitions it was last given; none from when they are revoked. */
  int owned() {
    List<String> lines =
        lines(rebalances).stream().filter(line -> line.contains(" rebalanced (")).toList();
    String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    int assigned = last.indexOf(ASSIGNED);
    return assigned < 0 ? 0 : last.substring(assigned + ASSIGNED.length()).split(",").length;
  }

  /** What it has read. */
  List<String> values() {
    return lines(values);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void leave() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
