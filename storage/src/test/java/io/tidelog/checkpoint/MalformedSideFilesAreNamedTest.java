package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidelog.disk.Disk;
import io.tidelog.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MalformedSideFilesAreNamedTest {
  @TempDir Path root;
  private final Disk disk = new NioDisk();

  @ParameterizedTest
  @CsvSource({
    "1\\n0\\n, 1, 1",
    "x\\n0\\n, 1, x",
    "0\\nx\\n, 2, x",
    "0\\n2147483647\\n, 2, 2147483647",
    "0\\n-1\\n, 2, -1",
    "0\\n2\\na 0 1\\n, 2, 2",
    "0\\n0\\na 0 1\\n, 2, 0",
    "0\\n1\\na 0\\n, 3, a 0",
    "0\\n1\\na 0 1 2\\n, 3, a 0 1 2",
    "0\\n2\\na 0 1\\na -1 1\\n, 4, a -1 1",
    "0\\n1\\na 0 -1\\n, 3, a 0 -1",
    "0\\n1\\na 2147483648 1\\n, 3, a 2147483648 1",
    "0\\n1\\na 0 9223372036854775808\\n, 3, a 0 9223372036854775808",
    "0\\n1\\na/b 0 1\\n, 3, a/b 0 1",
    "0\\n1\\n\\n, 3, ''",
  })
  void offset_checkpoint(String text, int line, String found) throws IOException {
    OffsetCheckpoint.Kind kind = OffsetCheckpoint.Kind.LOG_START;
    write(kind.fileName(), text);
    assertNames(kind.fileName(), line, found, new OffsetCheckpoint(disk, root, kind)::read);
  }

  @ParameterizedTest
  @CsvSource({
    "0\\n1\\n1\\n, 3, 1",
    "0\\n1\\n-1 0\\n, 3, -1 0",
    "0\\n1\\n2147483648 0\\n, 3, 2147483648 0",
    "0\\n2\\n1 5\\n1 6\\n, 4, 1 6",
    "0\\n2\\n1 5\\n2 5\\n, 4, 2 5",
    "0\\n3\\n1 5\\n2 6\\n3 4\\n, 5, 3 4",
  })
  void leader_epoch_checkpoint(String text, int line, String found) throws IOException {
    write(LeaderEpochCheckpoint.FILE_NAME, text);
    assertNames(
        LeaderEpochCheckpoint.FILE_NAME, line, found, new LeaderEpochCheckpoint(disk, root)::read);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1, ''",
    "version: 1\\ntopic_id: h9H3aCc3T2OhgkGBz1o8Yw, 1, version: 1",
    "version: 0\\n, 2, ''",
    "version: 0\\ntopic: h9H3aCc3T2OhgkGBz1o8Yw, 2, topic: h9H3aCc3T2OhgkGBz1o8Yw",
    "version: 0\\ntopic_id: short, 2, short",
    "version: 0\\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA, 2, AAAAAAAAAAAAAAAAAAAAAA",
  })
  void partition_metadata(String text, int line, String found) throws IOException {
    write(PartitionMetadata.FILE_NAME, text);
    assertNames(PartitionMetadata.FILE_NAME, line, found, new PartitionMetadata(disk, root)::read);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1, no version",
    "version=0\\nbroker.id=1\\n, 1, 0",
    "#c\\nnode.id=1\\nversion=2\\ncluster.id=x\\n, 3, 2",
    "version=1\\nnode.id=1\\n, 3, no cluster.id",
    "version=1\\ncluster.id=x\\n, 3, no node.id",
    "version=1\\ncluster.id=x\\nnode.id=-1\\n, 3, -1",
    "version=1\\ncluster.id=x\\nnode.id=1\\ndirectory.id=zz\\n, 4, zz",
  })
  void meta_properties(String text, int line, String found) throws IOException {
    write(MetaProperties.FILE_NAME, text);
    assertNames(MetaProperties.FILE_NAME, line, found, () -> MetaProperties.read(disk, root));
  }

  @Test
  void a_file_of_absurd_size_is_refused_before_it_is_read() throws IOException {
    write(PartitionMetadata.FILE_NAME, "x".repeat(100_000));
    assertNames(
        PartitionMetadata.FILE_NAME, 1, "100000 bytes", new PartitionMetadata(disk, root)::read);
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text.replace("\\n", "\n"));
  }

  private void assertNames(String name, int line, String found, ThrowingCallable read) {
    assertThatExceptionOfType(MalformedFileException.class)
        .isThrownBy(read)
        .withMessageContaining(root.resolve(name) + " line " + line + ":")
        .withMessageContaining("found \"" + found + "\"")
        .satisfies(e -> org.assertj.core.api.Assertions.assertThat(e.line()).isEqualTo(line));
  }
}
