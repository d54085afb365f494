package io.tidelog.bench.verify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that is run to its end, its output thrown away.
 *
 * @param name what to call it in a table
 * @param words the program and its arguments
 */
record TimedCommand(String name, List<String> words) {
  private static final String TIMED = "TIMEFORMAT='%3R %3U %3S'; time \"$@\" >/dev/null 2>&1";

  /**
   * What one run took.
   *
   * @param wallSeconds from its start to its end
   * @param cpuSeconds of all its threads, in the kernel too
   */
  record Seconds(double wallSeconds, double cpuSeconds) {}

  /** Runs it, with the shell's clock. */
  Seconds run() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", "-c", TIMED, name));
    command.addAll(words);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String times = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(name + " ended with exit code " + process.exitValue() + ": " + words);
    }
    double[] seconds =
        Arrays.stream(times.strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
    return new Seconds(seconds[0], seconds[1] + seconds[2]);
  }
}
