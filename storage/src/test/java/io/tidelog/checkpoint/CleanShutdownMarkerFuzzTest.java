package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.storage.internals.checkpoint.CleanShutdownFileHandler;

/** Clean-shutdown markers of any bytes: no contents are refused, for its existence says enough. */
class CleanShutdownMarkerFuzzTest extends SideFileFuzz<OptionalLong> {
  private static final byte[] WRITTEN = OneFile.bytes("{\"version\":0,\"brokerEpoch\":42}");

  private final Path real = OneFile.realFolder();

  CleanShutdownMarkerFuzzTest() {
    super(CleanShutdownMarker.FILE_NAME);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        new byte[0], WRITTEN, OneFile.bytes("{ \"brokerEpoch\" : -1, \"version\" : 0 }"));
  }

  @Override
  OptionalLong read(Disk disk, Path folder) throws IOException {
    CleanShutdownMarker marker = new CleanShutdownMarker(disk, folder);
    assertThat(marker.exists()).isTrue();
    return marker.brokerEpoch();
  }

  @Override
  void write(Disk disk, Path folder, OptionalLong brokerEpoch) throws IOException {
    CleanShutdownMarker marker = new CleanShutdownMarker(disk, folder);
    if (brokerEpoch.isPresent()) {
      marker.write(brokerEpoch.getAsLong());
    }
  }

  /** Kafka parses it as JSON, we look for the one field: only where it reads it, we must too. */
  @Override
  void agreesWithKafka(OptionalLong brokerEpoch, byte[] input) throws IOException {
    OneFile.put(real, CleanShutdownMarker.FILE_NAME, input);
    OptionalLong theirs = new CleanShutdownFileHandler(real.toString()).read();
    if (theirs.isPresent() && isAsKafkaWrites(input)) {
      assertThat(brokerEpoch).isEqualTo(theirs);
    }
  }

  private static boolean isAsKafkaWrites(byte[] input) {
    return new String(input, java.nio.charset.StandardCharsets.UTF_8)
        .matches("\\{\"version\":0,\"brokerEpoch\":-?[0-9]{1,18}}");
  }
}
