package io.tidelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the program in a process of its own, as a shell does. */
@Timeout(120)
class SignalsTest {
  @TempDir Path directory;

  private Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>(withSignals());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            "io.tidelog.cli.Tidelog"));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).redirectError(directory.resolve("err").toFile()).start();
    // What hangs ends, and the test then finds another exit code.
    CompletableFuture.delayedExecutor(60, TimeUnit.SECONDS).execute(process::destroyForcibly);
    return process;
  }

  /**
   * What a shell runs in the background is born deaf to SIGINT; GNU's env gives it its ears back.
   */
  private static List<String> withSignals() {
    return System.getProperty("os.name").equals("Linux")
        ? List.of("env", "--default-signal=INT")
        : List.of();
  }

  private static void signal(String name, Process process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void a_signal_stops_a_broker_cleanly_with_exit_code_0(String signal) throws Exception {
    Path data = directory.resolve("data");
    Process process =
        start(
            "serve",
            "--data",
            data.toString(),
            "--listen",
            "127.0.0.1:0",
            "--set",
            "no.such.setting=1",
            "--set",
            "another.unknown=2");
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).startsWith("Tidelog is ready at 127.0.0.1:");

      signal(signal, process);

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(out.readLine()).isNull();
    } finally {
      process.destroyForcibly();
    }
    assertThat(data.resolve(".kafka_cleanshutdown")).exists();
    List<String> err = Files.readAllLines(directory.resolve("err"));
    assertThat(err).filteredOn(line -> line.contains("no.such.setting")).hasSize(1);
    assertThat(err).filteredOn(line -> line.contains("another.unknown")).hasSize(1);
    assertThat(err).allMatch(line -> line.matches("[0-9]{4}-[0-9]{2}-[0-9]{2} .*"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void a_signal_ends_a_consumer_that_waits_with_exit_code_0(String signal) throws Exception {
    try (RunningCommand serve =
        RunningCommand.start(
            "serve", "--data", directory.resolve("data").toString(), "--listen", "127.0.0.1:0")) {
      String address = serve.nextLine().replaceAll(".*(127\\.0\\.0\\.1:[0-9]+).*", "$1");
      CommandRun.withInput(
          "hello\n".getBytes(StandardCharsets.UTF_8), "produce", "t", "--bootstrap", address);
      Process process = start("consume", "t", "--bootstrap", address);
      try (BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        assertThat(out.readLine()).isEqualTo("hello");

        signal(signal, process);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
      } finally {
        process.destroyForcibly();
      }
      assertThat(Files.readString(directory.resolve("err"))).isEmpty();
    }
  }
}
