package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.NioDisk;
import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.record.Compression;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's own log code and ours, on the same input, leave the same bytes and read each other's. */
class KafkaAgreesTest {
  private static final Map<String, String> SMALL_SEGMENTS =
      Map.of("segment.bytes", "65536", "index.interval.bytes", "1024");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void the_same_appends_leave_the_same_files_byte_for_byte(long seed) throws IOException {
    List<ByteBuffer> batches = randomBatches(seed, 300);
    try (Lab lab = lab("ours")) {
      appendAll(lab.orders(), batches);
    }
    Path theirs = Files.createDirectories(directory.resolve("theirs/orders-0"));
    try (KafkaLog log = KafkaLog.openClean(theirs, Lab.ORDERS_ID, SMALL_SEGMENTS)) {
      for (ByteBuffer batch : batches) {
        log.append(copy(batch), 0);
      }
    }
    assertThat(files(directory.resolve("ours/orders-0"))).isEqualTo(files(theirs));
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void kafka_opens_our_folder_and_reads_the_same_records(long seed) throws IOException {
    List<Lab.Entry> written;
    try (Lab lab = lab("ours")) {
      appendAll(lab.orders(), randomBatches(seed, 200));
      written = Lab.entries(lab.orders(), 10_000);
    }
    try (KafkaLog log =
        KafkaLog.openClean(directory.resolve("ours/orders-0"), Lab.ORDERS_ID, SMALL_SEGMENTS)) {
      log.checkIndexes();
      assertThat(log.end()).isEqualTo(written.size());
      assertThat(log.entries()).isEqualTo(written);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void we_open_kafkas_folder_and_read_the_same_records(long seed) throws IOException {
    Path folder = Files.createDirectories(directory.resolve("ours/orders-0"));
    List<Lab.Entry> written;
    try (KafkaLog log = KafkaLog.openClean(folder, Lab.ORDERS_ID, SMALL_SEGMENTS)) {
      for (ByteBuffer batch : randomBatches(seed, 200)) {
        log.append(batch, 3);
      }
      written = log.entries();
    }
    Files.writeString(
        directory.resolve("ours/.kafka_cleanshutdown"), "{\"version\":0,\"brokerEpoch\":5}");
    try (Lab lab = lab("ours")) {
      PartitionLog log = lab.orders();
      assertThat(log.topicId()).isEqualTo(Lab.ORDERS_ID);
      assertThat(log.latestEpoch()).isEqualTo(3);
      assertThat(Lab.entries(log, 10_000)).isEqualTo(written);
      assertThat(lab.events).isEmpty();
      Lab.append(log, SimClock.START_MS, "life goes on");
      assertThat(Lab.values(log)).hasSize(written.size() + 1).endsWith("life goes on");
    }
  }

  @Test
  void indexes_rebuilt_after_a_crash_equal_the_ones_written_before() throws IOException {
    try (Lab lab = lab("ours")) {
      appendAll(lab.orders(), randomBatches(31, 300));
    }
    Path folder = directory.resolve("ours/orders-0");
    Map<String, String> before = files(folder);
    for (String name : before.keySet()) {
      if (name.endsWith("index")) {
        Files.delete(folder.resolve(name));
      }
    }
    Files.delete(directory.resolve("ours/.kafka_cleanshutdown"));
    Files.delete(directory.resolve("ours/recovery-point-offset-checkpoint"));
    lab("ours").close();
    assertThat(files(folder)).isEqualTo(before);
  }

  private Lab lab(String name) throws IOException {
    return Lab.open(new NioDisk(), directory.resolve(name), SMALL_SEGMENTS);
  }

  private static void appendAll(PartitionLog log, List<ByteBuffer> batches) throws IOException {
    for (ByteBuffer batch : batches) {
      log.append(copy(batch), 0, AppendSource.CLIENT);
    }
  }

  /** Batches of all codecs and many sizes, with timestamps that also run backwards. */
  private static List<ByteBuffer> randomBatches(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<ByteBuffer> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String[] values = new String[1 + random.nextInt(12)];
      for (int v = 0; v < values.length; v++) {
        values[v] =
            "key"
                + random.nextInt(50)
                + ":"
                + "x".repeat(random.nextInt(random.nextInt(10) == 0 ? 3000 : 100));
      }
      long timestamp = SimClock.START_MS - 100_000 + random.nextInt(100_000);
      Compression compression = Compression.values()[random.nextInt(Compression.values().length)];
      batches.add(Lab.batch(compression, timestamp, values));
    }
    return batches;
  }

  private static ByteBuffer copy(ByteBuffer batch) {
    return ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
  }

  /** Kafka may leave the room that it reserved for index entries. */
  private static byte[] withoutPadding(Path path) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    int length = bytes.length;
    while (path.toString().endsWith("index") && length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(bytes, length);
  }

  /** Length and checksum by file name: short enough to read when they differ. */
  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> paths = Files.list(folder)) {
      for (Path path : paths.toList()) {
        byte[] bytes = withoutPadding(path);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        contents.put(
            path.getFileName().toString(),
            bytes.length + " bytes, CRC-32C " + Long.toHexString(crc.getValue()));
      }
    }
    return contents;
  }
}
