package io.tidelog.cli.dump;

import static io.tidelog.cli.dump.LogFile.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.cli.CommandRun;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.record.Compression;
import io.tidelog.record.ControlType;
import io.tidelog.record.EndTransaction;
import io.tidelog.record.Packing;
import io.tidelog.record.RecordHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DumpShowsLogsTest {
  private static final long TIME_MS = 1_700_000_000_000L;

  @TempDir Path directory;

  private LogFile sample() {
    return new LogFile()
        .batch(
            writer ->
                writer
                    .baseOffset(5)
                    .leaderEpoch(3)
                    .producer(4711, (short) 2, 10)
                    .append(TIME_MS, utf8("käse"), utf8("a \"quoted\"\tline"))
                    .append(
                        TIME_MS - 1,
                        null,
                        ByteBuffer.wrap(new byte[] {(byte) 0xff, 0}),
                        List.of(
                            new RecordHeader(utf8("trace"), utf8("x1")),
                            new RecordHeader(utf8("empty"), null)))
                    .finish())
        .batch(
            writer ->
                writer
                    .baseOffset(7)
                    .leaderEpoch(3)
                    .producer(4711, (short) 2, -1)
                    .transactional()
                    .control()
                    .appendControl(TIME_MS, ControlType.COMMIT, new EndTransaction(9).value())
                    .finish());
  }

  @Test
  void lines_for_people_show_every_batch_and_record() throws IOException {
    Path file = sample().writeTo(directory.resolve("00000000000000000005.log"));

    CommandRun run = CommandRun.of("dump", file.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines())
        .containsExactly(
            "file file=" + file + " bytes=191",
            "batch position=0 bytes=113 baseOffset=5 lastOffset=6 records=2 leaderEpoch=3"
                + " compression=none timestampType=CreateTime"
                + " baseTimestamp=2023-11-14T22:13:20Z maxTimestamp=2023-11-14T22:13:20Z"
                + " producerId=4711 producerEpoch=2 baseSequence=10 lastSequence=11"
                + " crc=0x89b5b2ce",
            "  record offset=5 timestamp=2023-11-14T22:13:20Z key=\"käse\""
                + " value=\"a \\\"quoted\\\"\\tline\"",
            "  record offset=6 timestamp=2023-11-14T22:13:19.999Z key=null value=0xff00"
                + " headers=[key=\"trace\" value=\"x1\", key=\"empty\" value=null]",
            "batch position=113 bytes=78 baseOffset=7 lastOffset=7 records=1 leaderEpoch=3"
                + " compression=none timestampType=CreateTime"
                + " baseTimestamp=2023-11-14T22:13:20Z maxTimestamp=2023-11-14T22:13:20Z"
                + " producerId=4711 producerEpoch=2 baseSequence=-1 lastSequence=-1"
                + " transactional control crc=0x8574033e",
            "  record offset=7 timestamp=2023-11-14T22:13:20Z control=COMMIT coordinatorEpoch=9");
  }

  @Test
  void json_lines_lose_nothing() throws IOException {
    Path file = sample().writeTo(directory.resolve("00000000000000000005.log"));

    CommandRun run = CommandRun.of("dump", "--json", file.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines())
        .containsExactly(
            "{\"kind\":\"file\",\"file\":\"" + file + "\",\"bytes\":191}",
            "{\"kind\":\"batch\",\"position\":0,\"bytes\":113,\"baseOffset\":5,\"lastOffset\":6,"
                + "\"records\":2,\"leaderEpoch\":3,\"compression\":\"none\","
                + "\"timestampType\":\"CreateTime\",\"baseTimestamp\":1700000000000,"
                + "\"maxTimestamp\":1700000000000,\"producerId\":4711,\"producerEpoch\":2,"
                + "\"baseSequence\":10,\"lastSequence\":11,\"crc\":\"0x89b5b2ce\"}",
            "{\"kind\":\"record\",\"offset\":5,\"timestamp\":1700000000000,\"key\":\"käse\","
                + "\"value\":\"a \\\"quoted\\\"\\tline\"}",
            "{\"kind\":\"record\",\"offset\":6,\"timestamp\":1699999999999,\"key\":null,"
                + "\"valueBase64\":\"/wA=\",\"headers\":[{\"key\":\"trace\",\"value\":\"x1\"},"
                + "{\"key\":\"empty\",\"value\":null}]}",
            "{\"kind\":\"batch\",\"position\":113,\"bytes\":78,\"baseOffset\":7,\"lastOffset\":7,"
                + "\"records\":1,\"leaderEpoch\":3,\"compression\":\"none\","
                + "\"timestampType\":\"CreateTime\",\"baseTimestamp\":1700000000000,"
                + "\"maxTimestamp\":1700000000000,\"producerId\":4711,\"producerEpoch\":2,"
                + "\"baseSequence\":-1,\"lastSequence\":-1,\"transactional\":true,"
                + "\"control\":true,\"crc\":\"0x8574033e\"}",
            "{\"kind\":\"record\",\"offset\":7,\"timestamp\":1700000000000,"
                + "\"control\":\"COMMIT\",\"coordinatorEpoch\":9}");
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void records_of_every_codec_are_shown(Compression compression) throws IOException {
    Path file =
        new LogFile()
            .batch(
                writer ->
                    writer
                        .packing(Packing.of(compression))
                        .append(TIME_MS, null, utf8("one"))
                        .append(TIME_MS, null, utf8("two"))
                        .finish())
            .writeTo(directory.resolve("00000000000000000000.log"));

    CommandRun run = CommandRun.of("dump", file.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines().get(1))
        .contains(" compression=" + compression.name().toLowerCase(Locale.ROOT));
    assertThat(run.lines().subList(2, 4))
        .containsExactly(
            "  record offset=0 timestamp=2023-11-14T22:13:20Z key=null value=\"one\"",
            "  record offset=1 timestamp=2023-11-14T22:13:20Z key=null value=\"two\"");
  }

  @Test
  void batches_alone_are_shown_on_request() throws IOException {
    Path file = sample().writeTo(directory.resolve("00000000000000000005.log"));

    CommandRun run = CommandRun.of("dump", "--batches", file.toString());

    assertThat(run.lines()).hasSize(3).noneMatch(line -> line.startsWith("  record"));
  }

  @Test
  void a_batch_with_a_flipped_bit_is_reported_and_the_next_one_is_still_shown() throws IOException {
    byte[] bytes = sample().bytes();
    bytes[100] ^= 1;
    Path file = Files.write(directory.resolve("00000000000000000005.log"), bytes);

    for (String detail : List.of("--json", "--batches")) {
      CommandRun run = CommandRun.of("dump", detail, file.toString());

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.lines())
          .anyMatch(
              line ->
                  line.contains("damage")
                      && line.contains(
                          file + " at byte 0: batch CRC is 0x89b5b2ce, contents give 0x"))
          .anyMatch(line -> line.contains("0x8574033e"));
    }
  }

  @Test
  void a_cut_file_is_shown_up_to_the_cut() throws IOException {
    byte[] cut = Arrays.copyOf(sample().bytes(), 150);
    Path file = Files.write(directory.resolve("00000000000000000005.log"), cut);

    CommandRun run = CommandRun.of("dump", file.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.lines()).hasSize(5);
    assertThat(run.lines().get(4))
        .contains(file + " at byte 113: a batch header needs 61 bytes, the file has 37 more");
  }

  @Test
  void records_that_break_the_format_are_named_though_the_crc_is_right() throws IOException {
    byte[] bytes =
        new LogFile()
            .batch(writer -> writer.append(TIME_MS, null, utf8("value")).finish())
            .batch(writer -> writer.baseOffset(1).append(TIME_MS, null, utf8("next")).finish())
            .bytes();
    DamagedBatch.setRecordLength(bytes, 0, (byte) 0x7e);
    Path file = Files.write(directory.resolve("00000000000000000000.log"), bytes);

    CommandRun run = CommandRun.of("dump", file.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out()).contains(file + " at byte 0: record 0 of the batch").contains("\"next\"");
  }
}
