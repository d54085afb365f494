package io.tidelog.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.cli.CommandRun;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.disk.NioDisk;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerifyCommandTest {
  private static final int BATCH_BYTES = 73;

  @TempDir Path directory;

  private Path folder;
  private Path log;

  /** A folder by itself, as somebody has copied it, with two batches of one record. */
  @BeforeEach
  void writeAFolder() throws IOException {
    folder = Files.createDirectories(directory.resolve("orders-0"));
    log = folder.resolve("00000000000000000000.log");
    ByteBuffer bytes = ByteBuffer.allocate(2 * BATCH_BYTES);
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      for (int offset = 0; offset < 2; offset++) {
        RecordBatch batch =
            new RecordBatchWriter(codecs)
                .begin()
                .append(1_000, null, ByteBuffer.wrap("value".getBytes(StandardCharsets.UTF_8)))
                .finish();
        batch.stampBaseOffset(offset);
        bytes.put(batch.buffer().slice(batch.position(), batch.sizeBytes()));
      }
    }
    assertThat(bytes.hasRemaining()).isFalse();
    Files.write(log, bytes.array());
    Files.writeString(
        folder.resolve("partition.metadata"), "version: 0\ntopic_id: AAAAAAAAAAEAAAAAAAAAAg");
  }

  private void flip(int position) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    bytes[position] ^= 1;
    Files.write(log, bytes);
  }

  @Test
  void a_sound_folder_is_one_line_and_exit_code_0() {
    CommandRun run = CommandRun.of("verify", "--deep", folder.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .containsExactly("1 partitions, 1 segments, 2 batches, 146 bytes of logs: sound");
  }

  @Test
  void damage_is_told_with_its_place_its_meaning_and_what_to_do() throws IOException {
    flip(70);

    CommandRun run = CommandRun.of("verify", folder.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.lines()).hasSize(5);
    assertThat(run.lines().get(0))
        .isEqualTo("DAMAGE batch-damaged " + log + " at byte 0, offsets 0 to 0");
    assertThat(run.lines().get(1))
        .matches("  found batch CRC 0x[0-9a-f]{8}, expected 0x[0-9a-f]{8}, which its bytes give");
    assertThat(run.lines().subList(2, 5))
        .containsExactly(
            "  Bytes of a log are not sound batches; the records in them cannot be read.",
            "  To do: restore the file, or let tidelog repair bracket the damage.",
            "1 partitions, 1 segments, 1 batches, 146 bytes of logs: 1 damaged, 0 warnings, 0"
                + " notes");
  }

  @Test
  void programs_get_a_line_of_json_for_each_finding_and_a_summary() throws IOException {
    flip(BATCH_BYTES + 16);

    CommandRun run = CommandRun.of("verify", "--json", folder.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.lines())
        .containsExactly(
            ("{\"kind\":\"finding\",\"severity\":\"warning\",\"code\":\"unsound-tail\",\"file\":\"%s\",\"position\":73,\"found\":\"format"
                    + " version (magic) 3\",\"expected\":\"2\",\"meaning\":\"the log ends with bytes"
                    + " that are not a sound batch, and nobody knows how it was"
                    + " stopped\",\"advice\":\"nothing if it was a crash: the next start cuts them\"}")
                .formatted(log),
            "{\"kind\":\"summary\",\"sound\":\"no\",\"partitions\":1,\"segments\":1,\"batches\":1,"
                + "\"logBytes\":146,\"damage\":0,\"warnings\":1,\"notes\":0}");
  }

  @Test
  void wrong_usage_is_2_and_what_cannot_be_read_is_3() {
    assertThat(CommandRun.of("verify").exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(CommandRun.of("verify", log.toString()).exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(CommandRun.of("verify", "--threads=0", folder.toString()).exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(CommandRun.of("verify", directory.resolve("none").toString()).exitCode())
        .isEqualTo(ExitCode.UNREACHABLE);
  }

  @Test
  void a_directory_of_something_else_is_wrong_usage() throws IOException {
    Path other = Files.createDirectories(directory.resolve("photos"));

    CommandRun run = CommandRun.of("verify", other.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("neither a data directory nor the folder of a partition");
  }

  @Test
  void a_record_that_is_none_of_its_internal_topic_is_told_by_a_deep_check() throws IOException {
    for (String topic :
        List.of("__consumer_offsets", "__transaction_state", "__cluster_metadata")) {
      Path internal = Files.createDirectories(directory.resolve(topic + "-0"));
      Files.copy(log, internal.resolve(log.getFileName()));

      CommandRun run = CommandRun.of("verify", "--deep", internal.toString());

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.out()).contains("record-contents", "expected a record of " + topic + "-0");
    }
  }

  @Test
  void metadata_that_cannot_be_read_is_said_and_the_check_goes_on() throws IOException {
    Path metadata = Files.createDirectories(directory.resolve("__cluster_metadata-0"));
    Files.copy(log, metadata.resolve(log.getFileName()));

    CommandRun run = CommandRun.of("verify", folder.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.err())
        .startsWith("Topics are not compared with the metadata, which cannot be read: ")
        .contains(metadata.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "verify", "verify --deep", "verify --help", "verify --threads 2 d",
            "verify --deep --deep d",
        "verify -- d", "verify @file", "verify \"d\"", "dump d", ""
      })
  void what_is_not_plain_is_left_to_the_parser(String line) {
    assertThat(VerifyCommand.ofPlain(new NioDisk(), null, line.split(" "))).isEmpty();
  }

  @Test
  void a_plain_command_line_does_what_the_parser_makes_of_it() {
    CommandRun parsed = CommandRun.of("verify", "--threads=2", "--json", folder.toString());

    assertThat(VerifyCommand.ofPlain(new NioDisk(), null, "verify", "--json", "d", "e"))
        .isPresent();
    assertThat(CommandRun.of("verify", folder.toString(), "--json").out()).isEqualTo(parsed.out());
  }

  @Test
  void a_directory_that_is_named_twice_is_refused() {
    CommandRun run = CommandRun.of("verify", folder.toString(), folder + "/../orders-0");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("is named twice");
  }
}
