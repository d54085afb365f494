package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.server.common.CheckpointFile.CheckpointReadBuffer;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;

/** Leader-epoch checkpoints of any bytes. */
class LeaderEpochCheckpointFuzzTest extends SideFileFuzz<List<EpochEntry>> {

  LeaderEpochCheckpointFuzzTest() {
    super(LeaderEpochCheckpoint.FILE_NAME);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        OneFile.bytes("0\n0\n"),
        OneFile.bytes("0\n1\n0 0\n"),
        OneFile.bytes("0\n3\n0 0\n1 17\n7 1099511627776\n"));
  }

  @Override
  List<EpochEntry> read(Disk disk, Path folder) throws IOException {
    return new LeaderEpochCheckpoint(disk, folder).read();
  }

  @Override
  void write(Disk disk, Path folder, List<EpochEntry> epochs) throws IOException {
    new LeaderEpochCheckpoint(disk, folder).write(epochs);
  }

  @Override
  void agreesWithKafka(List<EpochEntry> epochs, byte[] input) throws IOException {
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new ByteArrayInputStream(input), StandardCharsets.UTF_8));
    List<EpochEntry> theirs =
        new CheckpointReadBuffer<>("fuzzed", reader, 0, LeaderEpochCheckpointFile.FORMATTER)
            .read().stream()
                .map(entry -> new EpochEntry(entry.epoch(), entry.startOffset()))
                .toList();
    assertThat(epochs).isEqualTo(theirs);
  }
}
