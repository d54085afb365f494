package io.tidelog.cli.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.cli.CommandRun;
import io.tidelog.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DumpShowsSideFilesTest {
  @TempDir Path directory;

  private CommandRun dump(String name, String contents) throws IOException {
    Path file = Files.writeString(directory.resolve(name), contents);
    return CommandRun.of("dump", file.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "recovery-point-offset-checkpoint",
        "log-start-offset-checkpoint",
        "replication-offset-checkpoint",
        "cleaner-offset-checkpoint"
      })
  void offset_checkpoints(String name) throws IOException {
    CommandRun run = dump(name, "0\n2\norders 0 17\n__consumer_offsets 49 0\n");

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines().subList(1, 3))
        .containsExactly(
            "offset topic=orders partition=0 offset=17",
            "offset topic=__consumer_offsets partition=49 offset=0");
  }

  @Test
  void leader_epochs() throws IOException {
    assertThat(dump("leader-epoch-checkpoint", "0\n2\n0 0\n4 120\n").lines().subList(1, 3))
        .containsExactly("epoch epoch=0 startOffset=0", "epoch epoch=4 startOffset=120");
  }

  @Test
  void topic_id_of_a_partition() throws IOException {
    assertThat(
            dump("partition.metadata", "version: 0\ntopic_id: 4pV1dYEyQ4WJbKl1AQAAQg")
                .lines()
                .get(1))
        .isEqualTo("topic topicId=4pV1dYEyQ4WJbKl1AQAAQg");
  }

  @Test
  void owner_of_a_data_directory() throws IOException {
    assertThat(
            dump(
                    "meta.properties",
                    "version=1\ncluster.id=c1\nnode.id=7\ndirectory.id=4pV1dYEyQ4WJbKl1AQAAQg\n")
                .lines()
                .get(1))
        .isEqualTo("owner clusterId=c1 nodeId=7 directoryId=4pV1dYEyQ4WJbKl1AQAAQg");
  }

  @Test
  void clean_shutdown_marker() throws IOException {
    assertThat(dump(".kafka_cleanshutdown", "{\"version\":0,\"brokerEpoch\":12}").lines().get(1))
        .isEqualTo("cleanStop brokerEpoch=12");
  }

  @Test
  void a_malformed_line_is_named_with_what_was_expected() throws IOException {
    CommandRun run = dump("recovery-point-offset-checkpoint", "0\n1\norders 0 minus\n");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.lines().get(1))
        .contains("line 3: found \"orders 0 minus\", expected topic, partition and offset");
  }

  @Test
  void files_that_cannot_be_shown_are_refused_before_anything_is_shown() throws IOException {
    Path sound = Files.writeString(directory.resolve("leader-epoch-checkpoint"), "0\n0\n");
    Path other = Files.writeString(directory.resolve("notes.txt"), "hello");

    CommandRun unknown = CommandRun.of("dump", sound.toString(), other.toString());
    CommandRun folder = CommandRun.of("dump", directory.toString());
    CommandRun missing = CommandRun.of("dump", directory.resolve("x.log").toString());
    CommandRun nothing = CommandRun.of("dump");

    assertThat(unknown.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.out()).isEmpty();
    assertThat(unknown.err()).contains(other + " has no name that says what it is");
    assertThat(folder.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(folder.err()).contains(directory + " is a directory");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(missing.err()).contains("x.log does not exist");
    assertThat(nothing.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void producer_snapshots() throws IOException {
    ByteBuffer snapshot =
        ByteBuffer.allocate(56)
            .putShort((short) 1)
            .putInt(0)
            .putInt(1)
            .putLong(4711)
            .putShort((short) 2)
            .putInt(19)
            .putLong(119)
            .putInt(9)
            .putLong(1_700_000_000_000L)
            .putInt(-1)
            .putLong(-1);
    CRC32C crc = new CRC32C();
    crc.update(snapshot.array(), 6, 50);
    snapshot.putInt(2, (int) crc.getValue());
    Path file = directory.resolve("00000000000000000120.snapshot");

    CommandRun run = CommandRun.of("dump", Files.write(file, snapshot.array()).toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.lines().subList(1, run.lines().size()))
        .containsExactly(
            "producer producerId=4711 producerEpoch=2 lastSequence=19 lastOffset=119 offsetDelta=9"
                + " lastTimestamp=2023-11-14T22:13:20Z coordinatorEpoch=-1");

    snapshot.put(20, (byte) 1);
    CommandRun damaged = CommandRun.of("dump", Files.write(file, snapshot.array()).toString());

    assertThat(damaged.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(damaged.lines().get(1)).contains(file + " at byte 2: found CRC 0x");
  }

  @Test
  void aborted_transactions() throws IOException {
    ByteBuffer entry =
        ByteBuffer.allocate(34).putShort((short) 0).putLong(7).putLong(10).putLong(20).putLong(15);
    Path file = directory.resolve("00000000000000000000.txnindex");

    CommandRun run = CommandRun.of("dump", Files.write(file, entry.array()).toString());

    assertThat(run.lines().get(1))
        .isEqualTo(
            "aborted position=0 producerId=7 firstOffset=10 lastOffset=20 lastStableOffset=15");
  }
}
