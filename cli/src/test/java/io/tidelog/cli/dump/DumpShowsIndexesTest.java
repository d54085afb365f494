package io.tidelog.cli.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.cli.CommandRun;
import io.tidelog.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpShowsIndexesTest {
  @TempDir Path directory;

  private CommandRun dump(String name, ByteBuffer contents) throws IOException {
    byte[] bytes = new byte[contents.clear().remaining()];
    contents.get(bytes);
    Path file = Files.write(directory.resolve(name), bytes);
    return CommandRun.of("dump", file.toString());
  }

  @Test
  void entries_of_an_offset_index_are_shown_with_absolute_offsets() throws IOException {
    CommandRun run =
        dump(
            "00000000000000001000.index",
            ByteBuffer.allocate(16).putInt(40).putInt(4200).putInt(99).putInt(9000));

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines().subList(1, 3))
        .containsExactly(
            "entry position=0 offset=1040 logPosition=4200",
            "entry position=8 offset=1099 logPosition=9000");
  }

  @Test
  void entries_of_a_time_index_are_shown_with_times() throws IOException {
    CommandRun run =
        dump(
            "00000000000000001000.timeindex",
            ByteBuffer.allocate(24).putLong(1_000).putInt(40).putLong(2_500).putInt(40));

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines().subList(1, 3))
        .containsExactly(
            "entry position=0 timestamp=1970-01-01T00:00:01Z offset=1040",
            "entry position=12 timestamp=1970-01-01T00:00:02.500Z offset=1040");
  }

  @Test
  void space_that_kafka_set_aside_is_not_taken_for_entries() throws IOException {
    CommandRun run =
        dump("00000000000000000000.index", ByteBuffer.allocate(80_000).putInt(40).putInt(4200));

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines().subList(1, 3))
        .containsExactly(
            "entry position=0 offset=40 logPosition=4200", "unused position=8 bytes=79992");
  }

  @Test
  void a_long_index_is_shown_to_its_last_entry() throws IOException {
    ByteBuffer contents = ByteBuffer.allocate(8 * 50_000);
    for (int i = 1; i <= 50_000; i++) {
      contents.putInt(i).putInt(i * 5_000);
    }

    CommandRun run = dump("00000000000000000000.index", contents);

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines()).hasSize(50_001);
    assertThat(run.lines().get(50_000))
        .isEqualTo("entry position=399992 offset=50000 logPosition=250000000");
  }

  @Test
  void an_entry_that_does_not_rise_is_named_with_what_was_expected() throws IOException {
    CommandRun run =
        dump(
            "00000000000000001000.index",
            ByteBuffer.allocate(16).putInt(40).putInt(4200).putInt(7).putInt(9000));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.lines().get(2))
        .endsWith(
            "at byte 8: entry is offset 1007 at position 9000, expected more than offset 1040 at"
                + " position 4200");
  }

  @Test
  void a_cut_entry_is_named_after_the_whole_ones() throws IOException {
    CommandRun run =
        dump(
            "00000000000000001000.timeindex",
            ByteBuffer.allocate(17).putLong(5).putInt(1).put((byte) 1));

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.lines()).hasSize(3);
    assertThat(run.lines().get(2))
        .endsWith("at byte 12: an entry needs 12 bytes, the file has 5 more");
  }
}
