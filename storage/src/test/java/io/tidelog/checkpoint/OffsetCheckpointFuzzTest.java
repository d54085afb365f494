package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.storage.internals.checkpoint.OffsetCheckpointFile;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;

/** Offset checkpoints of any bytes. */
class OffsetCheckpointFuzzTest extends SideFileFuzz<Map<TopicPartition, Long>> {
  private static final OffsetCheckpoint.Kind KIND = OffsetCheckpoint.Kind.RECOVERY_POINT;

  private final Path real = OneFile.realFolder();

  OffsetCheckpointFuzzTest() {
    super(KIND.fileName());
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        OneFile.bytes("0\n0\n"),
        OneFile.bytes("0\n2\norders 0 17\nmy-topic.x_y 12 1099511627776\n"),
        OneFile.bytes("0\n3\na 0 1\na 0 2\n..a 0 9223372036854775807\n"));
  }

  @Override
  Map<TopicPartition, Long> read(Disk disk, Path folder) throws IOException {
    return new OffsetCheckpoint(disk, folder, KIND).read();
  }

  @Override
  void write(Disk disk, Path folder, Map<TopicPartition, Long> offsets) throws IOException {
    new OffsetCheckpoint(disk, folder, KIND).write(offsets);
  }

  @Override
  void agreesWithKafka(Map<TopicPartition, Long> offsets, byte[] input) throws IOException {
    Path file = OneFile.put(real, KIND.fileName(), input);
    Map<TopicPartition, Long> theirs = new HashMap<>();
    new OffsetCheckpointFile(file.toFile(), new LogDirFailureChannel(1))
        .read()
        .forEach(
            (partition, offset) ->
                theirs.put(new TopicPartition(partition.topic(), partition.partition()), offset));
    assertThat(offsets).isEqualTo(theirs);
  }
}
