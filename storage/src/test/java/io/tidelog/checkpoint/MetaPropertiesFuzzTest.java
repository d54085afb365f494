package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.Uuid;

/** Files meta.properties of any bytes. */
class MetaPropertiesFuzzTest extends SideFileFuzz<Optional<MetaProperties>> {

  MetaPropertiesFuzzTest() {
    super(MetaProperties.FILE_NAME);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        OneFile.bytes("#\n#Mon Nov 30\nversion=1\ncluster.id=abc\nnode.id=0\n"),
        OneFile.bytes(
            """
            cluster.id=\\u0041 b\\
             c
            node.id : 2147483647
            version 1
            directory.id=h9H3aCc3T2OhgkGBz1o8Yw
            later\\ key=\\#x
            """));
  }

  @Override
  Optional<MetaProperties> read(Disk disk, Path folder) throws IOException {
    return MetaProperties.read(disk, folder);
  }

  @Override
  void write(Disk disk, Path folder, Optional<MetaProperties> contents) throws IOException {
    contents.orElseThrow().write(disk, folder);
  }

  /** Kafka loads them as Java's own class does. */
  @Override
  void agreesWithKafka(Optional<MetaProperties> contents, byte[] input) throws IOException {
    Properties properties = new Properties();
    properties.load(new ByteArrayInputStream(input));
    MetaProperties ours = contents.orElseThrow();
    assertThat(ours.clusterId()).isEqualTo(properties.getProperty("cluster.id"));
    assertThat(ours.nodeId()).isEqualTo(Integer.parseInt(properties.getProperty("node.id")));
    assertThat(ours.directoryId().map(TopicId::toString))
        .isEqualTo(
            Optional.ofNullable(properties.getProperty("directory.id"))
                .map(text -> Uuid.fromString(text).toString()));
    ours.others().forEach((key, value) -> assertThat(properties.getProperty(key)).isEqualTo(value));
    int known = ours.directoryId().isPresent() ? 4 : 3;
    assertThat(properties).hasSize(known + ours.others().size());
  }
}
