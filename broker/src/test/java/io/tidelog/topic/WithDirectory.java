package io.tidelog.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.checkpoint.TopicPartition;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.LogSettings;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;

/** A data directory on a simulated disk, and the judgement of it, which changes nothing. */
abstract class WithDirectory {
  static final Path DATA = TestTopics.DATA;
  static final Path METADATA = DATA.resolve("__cluster_metadata-0");
  static final Path METADATA_LOG = METADATA.resolve("00000000000000000000.log");

  final SimDisk disk = new SimDisk(21);

  Admission admission() {
    return new Admission(disk, List.of(DATA), new ServerSettings(Map.of()));
  }

  Function<TopicPartition, LogSettings> admit() throws IOException {
    Map<Path, String> before = contents(DATA);
    Function<TopicPartition, LogSettings> settings = admission().admit(OptionalInt.empty());
    assertThat(contents(DATA)).isEqualTo(before);
    return settings;
  }

  void assertRefused(String... parts) throws IOException {
    Map<Path, String> before = contents(DATA);
    assertThatThrownBy(this::admit)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(parts)
        .hasMessageNotContaining("\n")
        .hasMessageNotContaining("Exception");
    assertThat(contents(DATA)).isEqualTo(before);
  }

  /** Every file with all its bytes. */
  Map<Path, String> contents(Path directory) throws IOException {
    Map<Path, String> all = new TreeMap<>();
    if (!disk.exists(directory)) {
      return all;
    }
    for (String name : disk.list(directory)) {
      Path path = directory.resolve(name);
      if (disk.isDirectory(path)) {
        all.putAll(contents(path));
      } else {
        try (DiskFile file = disk.openReadOnly(path)) {
          ByteBuffer bytes = ByteBuffer.allocate((int) file.sizeBytes());
          file.read(bytes, 0);
          all.put(path, StandardCharsets.ISO_8859_1.decode(bytes.flip()).toString());
        }
      }
    }
    return all;
  }

  void write(Path path, String text) throws IOException {
    try (DiskFile file = disk.create(path)) {
      file.write(StandardCharsets.UTF_8.encode(text), 0);
    }
  }

  void overwrite(Path path, int at, byte[] bytes) throws IOException {
    try (DiskFile file = disk.open(path)) {
      file.write(ByteBuffer.wrap(bytes), at);
    }
  }
}
