package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.DiskFile;
import io.tidelog.segment.SegmentFiles;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A compacted log that was cut, or is another's, takes no records away. */
class InterruptedSwapsTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");
  private static final int BATCHES = 100;

  private final SimDisk disk = new SimDisk(1);
  private final List<Path> logs = new ArrayList<>();
  private Map<Path, byte[]> contents;

  @BeforeEach
  void write() throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, Map.of("segment.bytes", "1500"))) {
      for (int i = 0; i < BATCHES; i++) {
        Lab.append(lab.orders(), 1_700_000_000_000L + i, "a value " + i);
      }
    }
    FullScan.of(disk, FOLDER).batches().stream()
        .map(FullScan.Batch::file)
        .distinct()
        .forEach(logs::add);
    assertThat(logs).hasSizeGreaterThan(3);
    contents = logsOf();
  }

  @Test
  void an_empty_one_beside_its_old_log_goes() throws IOException {
    swapAt(1, new byte[0]);
    requireAllIsThere();
  }

  @Test
  void one_that_was_cut_between_two_batches_goes() throws IOException {
    byte[] whole = contents.get(logs.get(1));
    for (FullScan.Batch batch : FullScan.of(disk, FOLDER).batches()) {
      if (batch.file().equals(logs.get(1)) && batch.position() > 0) {
        swapAt(1, Arrays.copyOf(whole, batch.position()));
        requireAllIsThere();
      }
    }
  }

  @Test
  void one_with_the_batches_of_other_logs_goes() throws IOException {
    for (Path other : logs) {
      swapAt(1, contents.get(other));
      requireAllIsThere();
    }
  }

  @Test
  void one_of_several_old_logs_goes_while_the_first_is_there() throws IOException {
    byte[] first = contents.get(logs.get(0));
    byte[] second = contents.get(logs.get(1));
    swapAt(0, ByteBuffer.allocate(first.length + second.length).put(first).put(second).array());
    requireAllIsThere();
  }

  @Test
  void one_whose_first_old_log_has_gone_takes_its_place() throws IOException {
    byte[] first = contents.get(logs.get(0));
    byte[] second = contents.get(logs.get(1));
    byte[] both = ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    swapAt(0, both);
    disk.delete(logs.get(0));
    InterruptedSwaps.settle(disk, FOLDER);
    assertThat(logsOf().get(logs.get(0))).isEqualTo(both);
    assertThat(disk.exists(logs.get(1))).isFalse();
  }

  private void swapAt(int log, byte[] bytes) throws IOException {
    try (DiskFile swap = disk.create(swapOf(log))) {
      swap.write(ByteBuffer.wrap(bytes), 0);
    }
  }

  private Path swapOf(int log) {
    return logs.get(log).resolveSibling(logs.get(log).getFileName() + SegmentFiles.SWAP);
  }

  private void requireAllIsThere() throws IOException {
    InterruptedSwaps.settle(disk, FOLDER);
    assertThat(logsOf()).containsExactlyEntriesOf(contents);
    assertThat(disk.list(FOLDER)).noneMatch(name -> name.endsWith(SegmentFiles.SWAP));
  }

  private Map<Path, byte[]> logsOf() throws IOException {
    Map<Path, byte[]> found = new TreeMap<>();
    for (String name : disk.list(FOLDER)) {
      if (name.endsWith(SegmentFiles.LOG)) {
        Path file = FOLDER.resolve(name);
        ByteBuffer bytes = ByteBuffer.allocate((int) disk.sizeBytes(file));
        try (DiskFile opened = disk.openReadOnly(file)) {
          opened.read(bytes, 0);
        }
        found.put(file, bytes.array());
      }
    }
    return found;
  }
}
