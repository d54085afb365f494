package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The {@code ./tidelog} script, as a user calls it. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LauncherIT {
  private static final long GIVE_UP_MINUTES = 9;

  @TempDir Path directory;

  private static Path script(String name) {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve(name))) {
      root = root.getParent();
    }
    return root.resolve(name);
  }

  private Process start(Map<String, String> environment, String... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(directory.resolve("err").toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    CompletableFuture.delayedExecutor(GIVE_UP_MINUTES, TimeUnit.MINUTES)
        .execute(process::destroyForcibly);
    return process;
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private String err() throws IOException {
    return Files.readString(directory.resolve("err"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lots", "m", "1gb", "-1"})
  void a_heap_that_is_no_size_is_wrong_usage(String heap) throws Exception {
    Process process =
        start(Map.of("TIDELOG_HEAP", heap), script("tidelog").toString(), "--version");
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(err()).contains("TIDELOG_HEAP is \"" + heap + "\", expected a size");
  }

  @Test
  void the_process_that_a_user_starts_becomes_the_broker_and_stops_on_sigterm() throws Exception {
    Process process =
        start(
            Map.of(),
            script("tidelog").toString(),
            "serve",
            "--data",
            directory.resolve("data").toString(),
            "--listen",
            "127.0.0.1:0");
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).startsWith("Tidelog is ready at 127.0.0.1:");
      assertThat(process.info().command())
          .hasValueSatisfying(it -> assertThat(it).endsWith("java"));

      process.toHandle().destroy();

      assertThat(process.waitFor()).isZero();
      assertThat(out.readLine()).isNull();
    }
  }

  @Test
  void two_at_once_do_not_disturb_each_other() throws Exception {
    Process first = start(Map.of(), script("tidelog").toString(), "--version");
    Process second = start(Map.of(), script("tidelog").toString(), "--version");

    assertThat(output(first)).startsWith("tidelog ");
    assertThat(output(second)).startsWith("tidelog ");
    assertThat(first.waitFor()).isZero();
    assertThat(second.waitFor()).isZero();
  }

  @Test
  void exit_codes_reach_the_shell() throws Exception {
    assertThat(start(Map.of(), script("tidelog").toString(), "nonsense").waitFor()).isEqualTo(2);
    assertThat(start(Map.of(), script("tidelog").toString(), "dump", "/missing.log").waitFor())
        .isEqualTo(3);
  }

  @Test
  void options_for_java_are_taken_from_the_environment() throws Exception {
    Process process =
        start(
            Map.of("TIDELOG_HEAP", "64m", "TIDELOG_JAVA_OPTS", "-Dx=y -XX:+PrintFlagsFinal"),
            script("tidelog").toString(),
            "--version");

    assertThat(output(process))
        .containsPattern("MaxHeapSize +:?= " + (64 << 20))
        .contains("\ntidelog ");
    assertThat(process.waitFor()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tidelog", "dev"})
  void without_java_one_sentence_says_how_to_get_it(String name) throws Exception {
    // No Java is found where there is none: not on the PATH, not in the usual places.
    Path elsewhere = Files.createDirectories(directory.resolve("project/cli/src/main/launcher"));
    String java =
        Files.readString(script("cli/src/main/launcher/jdk.sh"))
            .replaceAll("for home in (?s).*?; do", "for home in; do");
    Files.writeString(elsewhere.resolve("jdk.sh"), java);
    Path copy = Files.copy(script(name), directory.resolve("project/" + name));
    Path bin = Files.createDirectories(directory.resolve("bin"));
    for (String command : List.of("dirname", "cat", "apt-cache", "apt-get", "readlink")) {
      Path wrapper = bin.resolve(command);
      Files.writeString(wrapper, "#!/bin/sh\nexec /usr/bin/" + command + " \"$@\"\n");
      assertThat(wrapper.toFile().setExecutable(true)).isTrue();
    }

    Process process =
        start(
            Map.of("PATH", bin.toString(), "JAVA_HOME", ""), "/bin/bash", copy.toString(), "build");

    assertThat(process.waitFor()).isEqualTo(3);
    assertThat(output(process)).isEmpty();
    assertThat(err().lines()).hasSize(1);
    assertThat(err()).contains("Java 17 or newer is needed").contains("Install with: ");
  }
}
