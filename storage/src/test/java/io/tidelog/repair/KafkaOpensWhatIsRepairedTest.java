package io.tidelog.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.Compression;
import io.tidelog.record.RecordBatch;
import io.tidelog.store.KafkaLog;
import io.tidelog.store.Lab;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka's own log, in this process, opens what is repaired as after a clean stop, finds its indexes
 * in order, and reads all records that were not lost; a sample of the damage that {@link
 * RepairSweepTest} does.
 */
class KafkaOpensWhatIsRepairedTest {
  private static final int EVERY = 151;

  private static SmallDirectory directory;

  @TempDir Path temporary;
  private int copies;

  @BeforeAll
  static void make() throws IOException {
    directory = SmallDirectory.make();
  }

  @Test
  void a_sample_of_flipped_bits() throws IOException {
    for (Path file : directory.files().keySet()) {
      byte[] sound = directory.files().get(file);
      for (int at = 3; at < sound.length; at += EVERY) {
        byte[] flipped = sound.clone();
        flipped[at] ^= 1;
        int position = at;
        check(
            "byte %d of %s".formatted(at, file),
            file,
            flipped,
            offset ->
                in(file).stream()
                    .anyMatch(b -> b.holds(offset) && position >= b.from() && position < b.to()));
      }
    }
  }

  @Test
  void a_sample_of_cut_files() throws IOException {
    for (Path file : directory.files().keySet()) {
      byte[] sound = directory.files().get(file);
      for (int bytes = 0; bytes < sound.length; bytes += EVERY) {
        int cut = bytes;
        check(
            "%s cut to %d bytes".formatted(file, bytes),
            file,
            Arrays.copyOf(sound, bytes),
            offset -> in(file).stream().anyMatch(b -> b.holds(offset) && b.to() > cut));
      }
    }
  }

  private static List<SmallDirectory.Batch> in(Path file) {
    return file.getParent().endsWith("orders-0") ? directory.batchesOf(file) : List.of();
  }

  private void check(String what, Path file, byte[] contents, LongPredicate lost)
      throws IOException {
    try (SimDisk disk = directory.diskWith(file, contents)) {
      Repair.Plan left = SmallDirectory.repair(disk).apply(SmallDirectory.QUARANTINE, step -> {});
      assertThat(left.isSound()).as(what).isTrue();
      Path folder = Files.createDirectories(temporary.resolve(copies++ + "/orders-0"));
      for (String name : disk.list(SmallDirectory.DATA.resolve("orders-0"))) {
        Files.write(
            folder.resolve(name),
            SmallDirectory.bytes(disk, SmallDirectory.DATA.resolve("orders-0").resolve(name)));
      }
      try (KafkaLog kafka =
          KafkaLog.openClean(folder, Lab.ORDERS_ID, Map.of("index.interval.bytes", "1"))) {
        kafka.checkIndexes();
        assertThat(kafka.end()).as(what).isGreaterThanOrEqualTo(18);
        kafka.append(Lab.batch(Compression.NONE, SimClock.START_MS, "after"), 9);
        List<Lab.Entry> found = kafka.entries();
        assertThat(found)
            .as(what)
            .containsAll(directory.entries().stream().filter(e -> !lost.test(e.offset())).toList());
      }
    }
  }

  /** That these tests can tell: what is not repaired Kafka cannot read. */
  @Test
  void without_repair_kafka_cannot_read_it() throws IOException {
    Path log = directory.lastLog();
    byte[] damaged = directory.files().get(log).clone();
    damaged[RecordBatch.BATCH_LENGTH_AT + 3] = 3;
    Path folder = Files.createDirectories(temporary.resolve("raw/orders-0"));
    for (Map.Entry<Path, byte[]> file : directory.files().entrySet()) {
      if (file.getKey().getParent().endsWith("orders-0")) {
        byte[] bytes = file.getKey().equals(log) ? damaged : file.getValue();
        Files.write(folder.resolve(file.getKey().getFileName().toString()), bytes);
      }
    }
    assertThatThrownBy(
            () -> {
              try (KafkaLog kafka = KafkaLog.openClean(folder, Lab.ORDERS_ID, Map.of())) {
                kafka.entries();
              }
            })
        .hasMessageContaining("size");
  }
}
