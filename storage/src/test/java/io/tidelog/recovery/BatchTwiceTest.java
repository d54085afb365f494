package io.tidelog.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.store.Damage;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch that stands twice takes no offset with it: its second copy is passed over. */
class BatchTwiceTest {
  private static final Path DATA = Path.of("/data");
  private static final int BATCHES = 12;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 10, 11})
  void every_offset_is_served_around_the_copy(int twice) throws IOException {
    for (String interval : List.of("1", "150", "4096")) {
      Map<String, String> settings = Map.of("index.interval.bytes", interval);
      SimDisk disk = new SimDisk(1);
      disk.createDirectories(DATA);
      Path file;
      List<String> values;
      try (Lab lab = Lab.open(disk, DATA, settings)) {
        for (int i = 0; i < BATCHES; i++) {
          Lab.append(lab.orders(), SimClock.START_MS + i, "a" + i, "b" + i);
        }
        values = Lab.values(lab.orders());
        file = lab.orders().directory().resolve("00000000000000000000.log");
      }
      List<FullScan.Batch> batches = FullScan.of(disk, file.getParent()).batches();
      Damage damage = new Damage(disk);
      byte[] bytes = damage.bytes(file);
      int from = batches.get(twice).position();
      int end = twice + 1 < BATCHES ? batches.get(twice + 1).position() : bytes.length;
      damage.cut(file, end);
      damage.append(file, Arrays.copyOfRange(bytes, from, end));
      damage.append(file, Arrays.copyOfRange(bytes, end, bytes.length));
      try (Lab lab = Lab.open(disk, DATA, settings).harmed()) {
        for (long offset = 0; offset < 2 * BATCHES; offset++) {
          List<Lab.Entry> entries = new ArrayList<>();
          Lab.addEntries(Lab.bytesAt(lab.orders(), offset, 1), offset, entries);
          assertThat(entries.get(0).offset()).isEqualTo(offset);
        }
        assertThat(Lab.values(lab.orders())).isEqualTo(values);
        assertThat(lab.orders().view().end()).isEqualTo(2L * BATCHES);
      }
    }
  }
}
