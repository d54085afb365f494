package io.tidelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.cli.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code --help} says, command by command, in {@code src/test/resources/help}. A change of a
 * command's options shows there, and is a change of the program's API.
 */
class HelpTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tidelog",
        "tidelog serve",
        "tidelog topics",
        "tidelog topics list",
        "tidelog topics create",
        "tidelog topics describe",
        "tidelog topics delete",
        "tidelog produce",
        "tidelog consume",
        "tidelog dump",
        "tidelog explain",
        "tidelog explain retention",
        "tidelog explain compaction",
        "tidelog explain lso",
        "tidelog explain offset",
        "tidelog explain bytes",
        "tidelog repair",
        "tidelog verify"
      })
  void every_command_explains_itself(String command) throws IOException {
    List<String> args = new ArrayList<>(List.of(command.split(" ")));
    args.remove(0);
    args.add("--help");

    CommandRun run = CommandRun.of(args.toArray(String[]::new));

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(golden(command.replace(' ', '-') + ".txt"));
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = HelpTest.class.getResourceAsStream("/help/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void wrong_usage_is_exit_code_2_with_the_reason_first() {
    CommandRun unknown = CommandRun.of("comsume", "t");
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).startsWith("Unmatched arguments").contains("Did you mean");
    assertThat(unknown.out()).isEmpty();

    CommandRun nothing = CommandRun.of();
    assertThat(nothing.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(nothing.err()).startsWith("Missing required subcommand");
  }

  @Test
  void the_version_is_one_line() {
    assertThat(CommandRun.of("--version").lines())
        .singleElement()
        .asString()
        .startsWith("tidelog ");
  }
}
