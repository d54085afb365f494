package io.tidelog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.cli.terminal.Streams;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ServeOptionsTest {

  private static ServeOptions parsed(String... args) {
    Streams streams = Streams.ofProcess(Streams.ErrorOutput.REDIRECTED);
    CommandLine program = Program.commandLine(streams, action -> {});
    CommandLine serve = program.parseArgs(args).subcommand().commandSpec().commandLine();
    return serve.<ServeCommand>getCommand().options();
  }

  static Stream<String> plain() {
    return Stream.of(
        "serve",
        "serve --data /d",
        "serve --listen 127.0.0.1:0 --data some/where",
        "serve --config f.properties --set a=b --listen [::1]:9092 --set c.d=e=f,g --data x=y",
        "serve --set a='b' --set e=",
        "serve --data serve",
        "serve --set x=\\t");
  }

  @ParameterizedTest
  @MethodSource("plain")
  void a_plain_command_line_is_read_as_the_parser_reads_it(String line) {
    String[] args = line.split(" ");

    assertThat(ServeOptions.ofPlain(args)).contains(parsed(args));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "topics list",
        "serve --help",
        "serve --data",
        "serve --data=/d",
        "serve --data --listen",
        "serve --data a --data b",
        "serve --set a",
        "serve --set =a",
        "serve --set a=1 --set a=2",
        "serve --set \"a=1\"",
        "serve --data @file",
        "serve --unknown x",
        "serve data x"
      })
  void everything_else_is_left_to_the_parser(String line) {
    assertThat(ServeOptions.ofPlain(line.split(" "))).isEmpty();
  }
}
