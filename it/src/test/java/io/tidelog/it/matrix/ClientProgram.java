package io.tidelog.it.matrix;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client of the matrix, run as a program of its own. It is given the address of the broker, a
 * prefix for its names, the script's file and its rows; it says {@code client NAME VERSION}, then
 * {@code ok ROW} for each row, and ends with 0.
 *
 * @param title what a test is called that runs it
 * @param prefix what its topics' and groups' names begin with
 * @param command how it is started
 * @param records whose records its produce rows write
 * @param rows what it has to pass, in this order
 */
record ClientProgram(
    String title, String prefix, List<String> command, Records records, List<String> rows) {

  private static final int LIMIT_SECONDS = 120;
  private static final String CLIENT = "client ";
  private static final String OK = "ok ";

  /** Whose records a client writes. */
  enum Records {
    OF_SCRIPT,
    OWN
  }

  static ClientProgram of(String title, List<String> command, Records records, List<String> rows) {
    String prefix = title.replaceAll("[^a-z0-9]+", "-");
    return new ClientProgram(title, prefix, command, records, rows);
  }

  /** The name of a topic that this client makes in a row. */
  String topic(String row) {
    return prefix + "-" + row;
  }

  /**
   * Runs it to its end.
   *
   * @return its name and version
   * @throws AssertionError with all that it said, when it did not pass all rows
   */
  String run(MatrixBroker broker, Path folder) throws IOException, InterruptedException {
    Path output = folder.resolve(prefix + ".out");
    List<String> line = new ArrayList<>(command);
    line.addAll(List.of(broker.bootstrap(), prefix, broker.scriptFile().toString()));
    line.addAll(rows);
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw failed("did not end within " + LIMIT_SECONDS + " s", output);
    }
    List<String> passed = new ArrayList<>();
    String client = title;
    try (BufferedReader said = Files.newBufferedReader(output)) {
      for (String text = said.readLine(); text != null; text = said.readLine()) {
        if (text.startsWith(CLIENT)) {
          client = text.substring(CLIENT.length());
        } else if (text.startsWith(OK)) {
          passed.add(text.substring(OK.length()));
        }
      }
    }
    if (process.exitValue() != 0 || !passed.equals(rows)) {
      throw failed("ended with " + process.exitValue() + " after the rows " + passed, output);
    }
    return client;
  }

  @Override
  public String toString() {
    return title;
  }

  private AssertionError failed(String what, Path output) throws IOException {
    return new AssertionError(title + " " + what + "; it said:\n" + Files.readString(output));
  }
}
