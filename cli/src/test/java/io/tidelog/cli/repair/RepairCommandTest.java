package io.tidelog.cli.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.checkpoint.TopicId;
import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.cli.CommandRun;
import io.tidelog.cli.terminal.ExitCode;
import io.tidelog.log.AppendSource;
import io.tidelog.log.LogSettings;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.RecordBatch;
import io.tidelog.record.RecordBatchWriter;
import io.tidelog.record.compress.KafkaCodecs;
import io.tidelog.store.LogStore;
import io.tidelog.store.StoreSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tidelog repair}, line by line. */
class RepairCommandTest {
  private static final long TIME_MS = 1_700_000_000_000L;
  private static final int BATCH_BYTES = 71;

  @TempDir Path temporary;
  private Path data;
  private Path log;

  /** Four batches of one record each. */
  @BeforeEach
  void write() throws IOException {
    data = Files.createDirectories(temporary.resolve("data"));
    log = data.resolve("orders-0/00000000000000000000.log");
    StoreSettings settings =
        new StoreSettings(topic -> LogSettings.DEFAULTS, 300_000, 300_000, 60_000, 1);
    try (LogStore store = LogStore.open(data, settings)) {
      PartitionLog orders =
          store.create(new TopicPartition("orders", 0), new TopicId(1, 2), LogSettings.DEFAULTS);
      for (String value : List.of("one", "two", "six", "ten")) {
        orders.append(batch(value), 0, AppendSource.CLIENT);
      }
    }
    assertThat(Files.size(log)).isEqualTo(4 * BATCH_BYTES);
  }

  private static ByteBuffer batch(String value) {
    try (KafkaCodecs codecs = KafkaCodecs.create()) {
      RecordBatch batch =
          new RecordBatchWriter(codecs)
              .begin()
              .append(TIME_MS, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)))
              .finish();
      return ByteBuffer.allocate(batch.sizeBytes())
          .put(batch.buffer().slice(batch.position(), batch.sizeBytes()))
          .flip();
    }
  }

  private void flip(int position) throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    bytes[position] ^= 1;
    Files.write(log, bytes);
  }

  @Test
  void a_sound_directory_needs_nothing() {
    CommandRun run = CommandRun.of("repair", data.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines()).containsExactly("sound directory=" + data);
  }

  @Test
  void the_plan_names_the_lost_offsets_and_changes_nothing() throws IOException {
    flip(BATCH_BYTES + 68);
    byte[] before = Files.readAllBytes(log);

    CommandRun run = CommandRun.of("repair", data.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.lines()).hasSize(2);
    assertThat(run.lines().get(0))
        .startsWith(
            "would step=bracket file="
                + log
                + " lostOffsets=1 what=take out bytes 71 to 142 (batch CRC is 0x")
        .endsWith("; what follows goes on in 00000000000000000002.log");
    assertThat(run.lines().get(1))
        .isEqualTo(
            "unchanged directory="
                + data
                + " next=add --apply; what is cut or replaced is kept in "
                + temporary.resolve("data.quarantine"));
    assertThat(Files.readAllBytes(log)).isEqualTo(before);
    assertThat(temporary.resolve("data.quarantine")).doesNotExist();
  }

  @Test
  void applied_it_leaves_two_sound_logs_and_the_damaged_bytes() throws IOException {
    flip(BATCH_BYTES + 68);

    CommandRun run = CommandRun.of("repair", "--apply", data.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines().get(0)).startsWith("does step=bracket ");
    assertThat(run.lines().get(run.lines().size() - 1)).startsWith("sound directory=");
    assertThat(Files.size(log)).isEqualTo(BATCH_BYTES);
    assertThat(Files.size(data.resolve("orders-0/00000000000000000002.log")))
        .isEqualTo(2 * BATCH_BYTES);
    assertThat(temporary.resolve("data.quarantine/1/orders-0/00000000000000000000.log.71-142"))
        .exists()
        .hasSize(BATCH_BYTES);
    assertThat(CommandRun.of("repair", data.toString()).exitCode()).isEqualTo(ExitCode.OK);
    CommandRun verify = CommandRun.of("verify", data.toString());
    assertThat(verify.exitCode()).as(verify.out()).isEqualTo(ExitCode.OK);
    assertThat(verify.out()).contains("offsets-given-up");
  }

  @Test
  void with_deep_it_tells_of_records_that_break_the_format() throws IOException {
    byte[] bytes = Files.readAllBytes(log);
    bytes[RecordBatch.HEADER_BYTES] = 0x7e; // the length of the first record
    CRC32C crc = new CRC32C();
    crc.update(bytes, RecordBatch.ATTRIBUTES_AT, BATCH_BYTES - RecordBatch.ATTRIBUTES_AT);
    ByteBuffer.wrap(bytes).putInt(RecordBatch.CRC_AT, (int) crc.getValue());
    Files.write(log, bytes);

    assertThat(CommandRun.of("repair", data.toString()).exitCode()).isEqualTo(ExitCode.OK);
    CommandRun deep = CommandRun.of("repair", "--deep", data.toString());
    assertThat(deep.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(deep.lines()).singleElement().asString().startsWith("cannot file=" + log);
  }

  @Test
  void a_header_field_outside_of_the_crc_is_mended_and_nothing_is_lost() throws IOException {
    flip(BATCH_BYTES + RecordBatch.MAGIC_AT);

    assertThat(CommandRun.of("repair", "--json", data.toString()).lines().get(0))
        .isEqualTo(
            "{\"kind\":\"would\",\"step\":\"mend-header\",\"file\":\""
                + log
                + "\",\"what\":\"mend the header of the batch at byte 71, whose records are whole:"
                + " magic 3 becomes 2\"}");
    assertThat(CommandRun.of("repair", "--apply", data.toString()).exitCode())
        .isEqualTo(ExitCode.OK);
    assertThat(Files.size(log)).isEqualTo(4 * BATCH_BYTES);
  }

  @Test
  void what_nobody_knows_is_told_with_what_to_do() throws IOException {
    Files.delete(data.resolve("orders-0/partition.metadata"));

    CommandRun run = CommandRun.of("repair", "--apply", data.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.lines().get(0))
        .startsWith("cannot file=" + data.resolve("orders-0/partition.metadata"))
        .contains("toDo=restore the file");
  }

  @Test
  void wrong_usage_and_a_directory_in_use_change_nothing() throws IOException {
    String none = temporary.resolve("none").toString();
    CommandRun missing = CommandRun.of("repair", none);
    assertThat(missing.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(missing.err())
        .isEqualTo(CommandRun.of("verify", none).err().replace("tidelog verify", "tidelog repair"));
    assertThat(CommandRun.of("repair", log.getParent().toString()).exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(
            CommandRun.of("repair", "--apply", "--quarantine", data + "/q", data.toString())
                .exitCode())
        .isEqualTo(ExitCode.USAGE);
    flip(BATCH_BYTES + 68);
    StoreSettings settings =
        new StoreSettings(topic -> LogSettings.DEFAULTS, 300_000, 300_000, 60_000, 1);
    try (LogStore store = LogStore.open(data, settings)) {
      assertThat(store.partitions()).hasSize(1);
      CommandRun run = CommandRun.of("repair", "--apply", data.toString());
      assertThat(run.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(run.err()).contains("is locked by another process or by another open store");
      assertThat(CommandRun.of("repair", data.toString()).exitCode())
          .isEqualTo(ExitCode.UNREACHABLE);
    }
  }
}
