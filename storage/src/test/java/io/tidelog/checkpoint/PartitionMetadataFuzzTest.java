package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.storage.internals.checkpoint.PartitionMetadataFile;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;

/** Files partition.metadata of any bytes. */
class PartitionMetadataFuzzTest extends SideFileFuzz<Optional<TopicId>> {
  private final Path real = OneFile.realFolder();

  PartitionMetadataFuzzTest() {
    super(PartitionMetadata.FILE_NAME);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        OneFile.bytes("version: 0\ntopic_id: h9H3aCc3T2OhgkGBz1o8Yw"),
        OneFile.bytes("version:  0\r\ntopic_id:\t__________________-_-A\n"));
  }

  @Override
  Optional<TopicId> read(Disk disk, Path folder) throws IOException {
    return new PartitionMetadata(disk, folder).read();
  }

  @Override
  void write(Disk disk, Path folder, Optional<TopicId> topicId) throws IOException {
    new PartitionMetadata(disk, folder).write(topicId.orElseThrow());
  }

  @Override
  void agreesWithKafka(Optional<TopicId> topicId, byte[] input) throws IOException {
    Path file = OneFile.put(real, PartitionMetadata.FILE_NAME, input);
    PartitionMetadataFile kafka =
        new PartitionMetadataFile(file.toFile(), new LogDirFailureChannel(1));
    assertThat(topicId.map(TopicId::toString)).contains(kafka.read().topicId().toString());
  }
}
