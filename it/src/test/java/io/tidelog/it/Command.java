package io.tidelog.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of others, run to their end with bounded time. */
final class Command {
  private static final int LIMIT_SECONDS = 180;

  private Command() {}

  /** Runs kcat against a broker; its standard output goes to a file. */
  static void kcat(Path output, BrokerProcess broker, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kcat", "-b", broker.bootstrap()));
    command.addAll(List.of(arguments));
    run(output, command);
  }

  /** Runs a main class from this process's class path; its standard output goes to a file. */
  static void java(Path output, String mainClass, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass));
    command.addAll(List.of(arguments));
    run(output, command);
  }

  /** Runs a program of the Node clients; its standard output goes to a file. */
  static void node(Path output, String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(NodeClients.command(program));
    command.addAll(List.of(arguments));
    run(output, command);
  }

  private static void run(Path output, List<String> command)
      throws IOException, InterruptedException {
    Path errors = output.resolveSibling(output.getFileName() + ".stderr");
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(errors.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
    } catch (IOException e) {
      throw new IOException(
          command.get(0) + " could not be started; on Debian: apt-get install kcat strace", e);
    }
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(command + " did not end within " + LIMIT_SECONDS + " s");
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          command + " ended with " + process.exitValue() + ": " + Files.readString(errors));
    }
  }
}
