package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidelog.record.Compression;
import io.tidelog.store.FullScan;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a read gives: whole batches, from the one that holds the offset, within the limits. */
class ReadTest {
  private static final Path DATA = Path.of("/data");
  private static final Path FOLDER = DATA.resolve("orders-0");

  private final SimDisk disk = new SimDisk(1);
  private Lab lab;

  @AfterEach
  void close() throws IOException {
    lab.close();
    disk.close();
  }

  private PartitionLog open(Map<String, String> settings) throws IOException {
    disk.createDirectories(DATA);
    lab = Lab.open(disk, DATA, settings);
    return lab.orders();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whole_batches_from_the_one_that_holds_the_offset_as_many_as_fit_but_at_least_one(long seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    PartitionLog log =
        open(
            Map.of(
                "segment.bytes", Integer.toString(random.nextInt(300, 2000)),
                "index.interval.bytes", Integer.toString(random.nextInt(300)),
                "tidelog.durability", "fsync"));
    for (int i = 0; i < 50; i++) {
      if (i % 20 == 15) {
        lab.scheduler.runDue();
      }
      append(log, random.nextInt(1, 6));
    }
    FullScan scan = FullScan.of(disk, FOLDER);
    for (int i = 0; i < 500; i++) {
      ReadUpTo upTo = ReadUpTo.values()[random.nextInt(ReadUpTo.values().length)];
      long offset = random.nextLong(log.view().bound(upTo));
      int maxBytes = random.nextInt(random.nextBoolean() ? 200 : 3000);
      assertThat(bytes(log.read(offset, maxBytes, upTo)))
          .as("read(%d, %d, %s), seed %d", offset, maxBytes, upTo, seed)
          .isEqualTo(expected(scan, offset, maxBytes, log.view().bound(upTo)));
    }
  }

  private static ByteBuffer expected(FullScan scan, long offset, int maxBytes, long bound) {
    List<FullScan.Batch> batches =
        scan.batches().stream()
            .filter(b -> b.header().lastOffset() >= offset && b.header().lastOffset() < bound)
            .toList();
    Path file = batches.get(0).file();
    ByteBuffer bytes = ByteBuffer.allocate(Math.max(maxBytes, batches.get(0).header().sizeBytes()));
    for (FullScan.Batch batch : batches) {
      if (batch.header().sizeBytes() > bytes.remaining() || !batch.file().equals(file)) {
        break;
      }
      bytes.put(batch.bytes());
    }
    return bytes.flip();
  }

  @Test
  void within_a_limit_the_first_batch_is_left_out_too_if_it_does_not_fit() throws IOException {
    PartitionLog log = open(Map.of());
    append(log, 3);
    int batchBytes = (int) log.sizeBytes();
    assertThat(bytes(log.readWithin(0, batchBytes - 1, ReadUpTo.HIGH_WATERMARK)).remaining())
        .isZero();
    assertThat(bytes(log.readWithin(0, batchBytes, ReadUpTo.HIGH_WATERMARK)).remaining())
        .isEqualTo(batchBytes);
  }

  @ParameterizedTest
  @EnumSource(ReadUpTo.class)
  void at_the_end_nothing_below_it_data_outside_of_the_log_an_error(ReadUpTo upTo)
      throws IOException {
    PartitionLog log = open(Map.of("segment.bytes", "500"));
    for (int i = 0; i < 50; i++) {
      append(log, 2);
    }
    log.advanceStart(50);
    for (long outside : new long[] {-1, 0, 49, 101, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThatThrownBy(() -> log.read(outside, 1000, upTo))
          .as("read at %d", outside)
          .isInstanceOf(OffsetOutOfRangeException.class)
          .hasMessageContaining("50 to 100");
    }
    assertThat(bytes(log.read(50, 1, upTo)).remaining()).isPositive();
    assertThat(bytes(log.read(99, 1, upTo)).remaining()).isPositive();
    assertThat(bytes(log.read(100, 1, upTo)).remaining()).isZero();
  }

  @ParameterizedTest
  @EnumSource(ReadUpTo.class)
  void an_empty_log_has_its_start_offset_and_no_other(ReadUpTo upTo) throws IOException {
    PartitionLog log = open(Map.of());
    assertThat(bytes(log.read(0, 1000, upTo)).remaining()).isZero();
    assertThatThrownBy(() -> log.read(1, 1000, upTo)).isInstanceOf(OffsetOutOfRangeException.class);
  }

  @Test
  void what_is_written_but_not_acknowledged_is_in_the_log_but_not_given_to_clients()
      throws IOException {
    PartitionLog log = open(Map.of("tidelog.durability", "fsync"));
    append(log, 2);
    lab.scheduler.runDue();
    append(log, 2);
    append(log, 2);
    int allBytes = (int) log.sizeBytes();
    for (ReadUpTo client : List.of(ReadUpTo.HIGH_WATERMARK, ReadUpTo.LAST_STABLE_OFFSET)) {
      assertThat(bytes(log.read(0, 10_000, client)).remaining()).isEqualTo(allBytes / 3);
      for (long waiting = 2; waiting <= 6; waiting++) {
        assertThat(bytes(log.read(waiting, 10_000, client)).remaining())
            .as("at %d, as Kafka does", waiting)
            .isZero();
      }
      assertThatThrownBy(() -> log.read(7, 10_000, client))
          .isInstanceOf(OffsetOutOfRangeException.class);
    }
    assertThat(bytes(log.read(0, 10_000, ReadUpTo.LOG_END)).remaining()).isEqualTo(allBytes);
    lab.scheduler.runDue();
    assertThat(bytes(log.read(0, 10_000, ReadUpTo.HIGH_WATERMARK)).remaining()).isEqualTo(allBytes);
  }

  private static void append(PartitionLog log, int records) throws IOException {
    log.append(Produced.at(Compression.NONE, new long[records]), 0, AppendSource.CLIENT);
  }

  private static ByteBuffer bytes(LogSlice slice) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
    slice.read(bytes, 0);
    slice.release();
    return bytes.flip();
  }
}
