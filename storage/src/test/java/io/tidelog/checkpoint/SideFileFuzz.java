package io.tidelog.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.testkit.SimDisk;
import io.tidelog.testkit.fuzz.FuzzTarget;
import io.tidelog.testkit.fuzz.KnownInputs;
import io.tidelog.testkit.fuzz.MemoryBound;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whatever stands in a side file, it is read or refused with file and line, in memory of about its
 * own size; what is read, Kafka reads too, and written again it is read as before.
 *
 * @param <T> what the file says
 */
abstract class SideFileFuzz<T> implements FuzzTarget {
  private static final MemoryBound MEMORY = MemoryBound.of(64 << 10, 1024);

  private final String name;

  SideFileFuzz(String name) {
    this.name = name;
  }

  @Test
  void every_known_input_is_read_or_refused() throws Exception {
    KnownInputs.replay(this);
  }

  abstract T read(Disk disk, Path folder) throws IOException;

  abstract void write(Disk disk, Path folder, T contents) throws IOException;

  /** Throws if Kafka reads something else from the same bytes. */
  abstract void agreesWithKafka(T contents, byte[] input) throws Exception;

  @Override
  public List<String> guidedBy() {
    return List.of("io.tidelog.checkpoint.**");
  }

  @Override
  public void check(byte[] input) throws Exception {
    try (SimDisk disk = OneFile.of(name, input)) {
      MEMORY.check(input.length, () -> isRead(disk));
      if (isRead(disk)) {
        T contents = read(disk, OneFile.FOLDER);
        agreesWithKafka(contents, input);
        write(disk, OneFile.FOLDER, contents);
        assertThat(read(disk, OneFile.FOLDER)).isEqualTo(contents);
      }
    }
  }

  private boolean isRead(Disk disk) throws IOException {
    try {
      read(disk, OneFile.FOLDER);
      return true;
    } catch (MalformedFileException refused) {
      assertThat(refused.file()).isEqualTo(OneFile.FOLDER.resolve(name));
      assertThat(refused.line()).isPositive();
      assertThat(refused.getMessage()).hasLineCount(1).hasSizeLessThan(500);
      return false;
    }
  }
}
