package io.tidelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.cli.terminal.Streams;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ServeCommandTest {
  @TempDir Path directory;

  private RunningCommand serve(Path data) throws Exception {
    return RunningCommand.start("serve", "--data", data.toString(), "--listen", "127.0.0.1:0");
  }

  private static String addressIn(String ready) {
    return ready.replaceAll("Tidelog is ready at (127\\.0\\.0\\.1:[0-9]+), data in .*", "$1");
  }

  @Test
  void one_line_says_where_clients_are_served_and_a_stop_is_exit_code_0() throws Exception {
    Path data = directory.resolve("data");
    try (RunningCommand serve = serve(data)) {
      String ready = serve.nextLine();

      assertThat(ready).matches("Tidelog is ready at 127\\.0\\.0\\.1:[1-9][0-9]*, data in " + data);
      assertThat(CommandRun.of("topics", "list", "--bootstrap", addressIn(ready)).exitCode())
          .isEqualTo(ExitCode.OK);

      serve.stop();
      assertThat(serve.exitCode()).isEqualTo(ExitCode.OK);
      assertThat(serve.nextLine()).isNull();
      assertThat(serve.err()).isEmpty();
      assertThat(data.resolve(".kafka_cleanshutdown")).exists();
    }
  }

  @Test
  void settings_come_from_the_file_then_the_options_then_set() throws Exception {
    Path config =
        Files.writeString(
            directory.resolve("server.properties"),
            "num.partitions=7\nlog.dirs=/nowhere/at/all\nlisteners=PLAINTEXT://127.0.0.1:1\n");
    try (RunningCommand serve =
        RunningCommand.start(
            "serve",
            "--config",
            config.toString(),
            "--data",
            directory.resolve("data").toString(),
            "--listen",
            "127.0.0.1:0",
            "--set",
            "auto.create.topics.enable=false")) {
      String address = addressIn(serve.nextLine());

      assertThat(CommandRun.of("topics", "create", "t", "--bootstrap", address).out())
          .isEqualTo("Created t, partitions: 7\n");
      assertThat(CommandRun.of("consume", "other", "--exit-at-end", "--bootstrap", address).err())
          .contains("other");
    }
  }

  private static void assertRefused(CommandRun run, int exitCode, String... words) {
    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(words).doesNotContain("\tat ");
    assertThat(run.err().lines()).hasSize(1);
  }

  @Test
  void a_locked_data_directory_is_named() throws Exception {
    Path data = directory.resolve("data");
    try (RunningCommand first = serve(data)) {
      first.nextLine();

      assertRefused(
          CommandRun.of("serve", "--data", data.toString(), "--listen", "127.0.0.1:0"),
          ExitCode.UNREACHABLE,
          data.resolve(".lock").toString(),
          "locked");
    }
  }

  @Test
  void a_port_in_use_is_named() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();

      assertRefused(
          CommandRun.of(
              "serve", "--data", directory.resolve("data").toString(), "--listen", address),
          ExitCode.UNREACHABLE,
          address);
    }
  }

  @Test
  void a_file_in_the_place_of_the_data_directory_is_named() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "x");

    assertRefused(
        CommandRun.of("serve", "--data", file.toString(), "--listen", "127.0.0.1:0"),
        ExitCode.UNREACHABLE,
        file.toString());
  }

  @Test
  void a_directory_whose_metadata_is_gone_is_refused_and_left_as_it_is() throws Exception {
    Path data = directory.resolve("data");
    try (RunningCommand serve = serve(data)) {
      String address = addressIn(serve.nextLine());
      assertThat(CommandRun.of("topics", "create", "t", "--bootstrap", address).exitCode())
          .isEqualTo(ExitCode.OK);
      serve.stop();
      assertThat(serve.exitCode()).isEqualTo(ExitCode.OK);
    }
    Files.move(data.resolve("__cluster_metadata-0"), directory.resolve("elsewhere"));

    assertRefused(
        CommandRun.of("serve", "--data", data.toString(), "--listen", "127.0.0.1:0"),
        ExitCode.UNREACHABLE,
        data.resolve("t-0").toString(),
        "no log in __cluster_metadata-0");
    assertThat(data.resolve(".kafka_cleanshutdown")).exists();
  }

  @Test
  void a_wrong_value_is_named_before_anything_is_done() {
    Path data = directory.resolve("data");

    assertRefused(
        CommandRun.of("serve", "--data", data.toString(), "--set", "num.partitions=many"),
        ExitCode.USAGE,
        "num.partitions",
        "many");
    assertThat(data).doesNotExist();
  }

  @Test
  void a_mistake_of_our_own_ends_the_command_too() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream broken =
        new PrintStream(OutputStream.nullOutputStream()) {
          @Override
          public void println(String line) {
            throw new IllegalStateException("no line can be written");
          }
        };
    int exitCode =
        Tidelog.run(
            new Streams(
                InputStream.nullInputStream(),
                broken,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Streams.ErrorOutput.REDIRECTED),
            action -> {},
            "serve",
            "--data",
            directory.resolve("data").toString(),
            "--listen",
            "127.0.0.1:0");
    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("tidelog serve: this is a mistake in Tidelog itself", "no line can be written");
  }

  @Test
  void a_missing_settings_file_is_named() {
    Path missing = directory.resolve("missing.properties");

    assertRefused(
        CommandRun.of("serve", "--config", missing.toString()),
        ExitCode.UNREACHABLE,
        missing + " does not exist");
  }
}
