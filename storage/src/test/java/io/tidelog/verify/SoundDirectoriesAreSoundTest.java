package io.tidelog.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.Disk;
import io.tidelog.disk.NioDisk;
import io.tidelog.log.AppendSource;
import io.tidelog.record.Compression;
import io.tidelog.store.KafkaLog;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimClock;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What we or Kafka's own code wrote gives no finding above a note, however it was stopped. */
class SoundDirectoriesAreSoundTest {
  private static final Map<String, String> SMALL_SEGMENTS =
      Map.of("segment.bytes", "65536", "index.interval.bytes", "1024");
  private static final Path DATA = Path.of("/data");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void after_our_clean_stop_there_is_nothing_to_say(long seed) throws IOException {
    SimDisk disk = written(seed);
    assertThat(deep(disk, DATA).findings()).isEmpty();
    assertThat(deep(disk, DATA.resolve("orders-0")).findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void a_power_cut_is_no_damage_and_the_next_start_leaves_nothing_to_say(long seed)
      throws IOException {
    SimDisk disk = new SimDisk(seed);
    disk.createDirectories(DATA);
    Lab lab = Lab.open(disk, DATA, SMALL_SEGMENTS);
    append(lab, seed);
    assertThat(sentences(deep(disk, DATA))).as("in use").isEmpty();
    SimDisk killed = disk.restart(seed);
    assertThat(deep(killed, DATA).atLeast(Severity.DAMAGE)).as("after the cut").isEmpty();
    Lab.open(killed, DATA, SMALL_SEGMENTS).close();
    assertThat(sentences(deep(killed, DATA))).as("after the next start").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void a_folder_that_kafkas_code_closed_is_sound(long seed) throws IOException {
    Path folder = Files.createDirectories(directory.resolve("orders-0"));
    try (KafkaLog log = KafkaLog.openClean(folder, Lab.ORDERS_ID, SMALL_SEGMENTS)) {
      for (ByteBuffer batch : batches(seed, 300)) {
        log.append(batch, 3);
      }
      assertThat(sentences(deep(new NioDisk(), folder))).as("in use").isEmpty();
    }
    assertThat(sentences(deep(new NioDisk(), folder))).isEmpty();
  }

  @Test
  void an_empty_partition_is_sound() throws IOException {
    SimDisk disk = new SimDisk(1);
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, Map.of())) {
      lab.orders();
    }
    VerifyReport report = deep(disk, DATA);
    assertThat(report.findings()).isEmpty();
    assertThat(report.partitions()).isEqualTo(1);
    assertThat(report.segments()).isEqualTo(1);
  }

  private static SimDisk written(long seed) throws IOException {
    SimDisk disk = new SimDisk(seed);
    disk.createDirectories(DATA);
    try (Lab lab = Lab.open(disk, DATA, SMALL_SEGMENTS)) {
      append(lab, seed);
    }
    return disk;
  }

  private static void append(Lab lab, long seed) throws IOException {
    for (ByteBuffer batch : batches(seed, 300)) {
      lab.orders().append(batch, 0, AppendSource.CLIENT);
    }
  }

  static VerifyReport deep(Disk disk, Path path) throws IOException {
    return Verifier.verify(disk, path, VerifyOptions.deep());
  }

  static List<String> sentences(VerifyReport report) {
    return report.atLeast(Severity.WARNING).stream()
        .map(finding -> finding.kind() + " " + finding)
        .toList();
  }

  /** Batches of all codecs and many sizes, with timestamps that also run backwards. */
  static List<ByteBuffer> batches(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<ByteBuffer> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long[] timestamps = new long[1 + random.nextInt(60)];
      for (int r = 0; r < timestamps.length; r++) {
        timestamps[r] = SimClock.START_MS - 100_000 + random.nextInt(100_000);
      }
      Compression codec = Compression.values()[random.nextInt(Compression.values().length)];
      batches.add(Produced.at(codec, timestamps));
    }
    return batches;
  }
}
