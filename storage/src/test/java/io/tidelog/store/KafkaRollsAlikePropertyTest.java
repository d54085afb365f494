package io.tidelog.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.disk.NioDisk;
import io.tidelog.log.AppendSource;
import io.tidelog.record.Compression;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With the same settings and batches, Kafka's log and ours begin their segments at the same ones.
 */
class KafkaRollsAlikePropertyTest {
  private static final int BATCHES = 120;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void segments_begin_at_the_same_offsets_and_have_the_same_size(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> settings =
        Map.of(
            "segment.bytes", Integer.toString(random.nextInt(500, 5000)),
            "segment.ms", Integer.toString(random.nextInt(20, 500)),
            "segment.index.bytes", Integer.toString(random.nextInt(24, 200)),
            "index.interval.bytes", Integer.toString(random.nextInt(500)));
    List<ByteBuffer> batches = new ArrayList<>();
    long at = SimClock.START_MS - 1_000_000;
    for (int i = 0; i < BATCHES; i++) {
      at += random.nextInt(-10, 20);
      batches.add(
          Produced.at(Compression.NONE, random.longs(random.nextInt(1, 5), at, at + 9).toArray()));
    }
    assertThat(ours(settings, batches)).isEqualTo(kafkas(settings, batches)).hasSizeGreaterThan(3);
  }

  private Map<String, Long> ours(Map<String, String> settings, List<ByteBuffer> batches)
      throws IOException {
    try (Lab lab = Lab.open(new NioDisk(), directory.resolve("ours"), settings)) {
      for (ByteBuffer batch : batches) {
        lab.orders().append(copy(batch), 0, AppendSource.CLIENT);
      }
    }
    return logs(directory.resolve("ours/orders-0"));
  }

  private Map<String, Long> kafkas(Map<String, String> settings, List<ByteBuffer> batches)
      throws IOException {
    Path folder = Files.createDirectories(directory.resolve("kafkas/orders-0"));
    try (KafkaLog log = KafkaLog.openClean(folder, Lab.ORDERS_ID, settings)) {
      for (ByteBuffer batch : batches) {
        log.append(copy(batch), 0);
      }
    }
    return logs(folder);
  }

  /** Sizes by name. */
  private static Map<String, Long> logs(Path folder) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> paths = Files.list(folder)) {
      for (Path path : paths.filter(path -> path.toString().endsWith(".log")).toList()) {
        sizes.put(path.getFileName().toString(), Files.size(path));
      }
    }
    return sizes;
  }

  private static ByteBuffer copy(ByteBuffer batch) {
    return ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
  }
}
