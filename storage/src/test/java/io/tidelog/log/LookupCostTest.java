package io.tidelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidelog.record.Compression;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import io.tidelog.store.WatchedDisk;
import io.tidelog.testkit.DiskCall.Kind;
import io.tidelog.testkit.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of a log is read to find a batch; the batch itself is not counted. */
class LookupCostTest {
  private static final Path DATA = Path.of("/data");
  private static final int INTERVAL_BYTES = 4096;
  private static final int WINDOW_BYTES = 4096;

  /** The header of the indexed batch, then on to the batch, of which the last window passes it. */
  private static final int LOOKUP_BYTES = WINDOW_BYTES + INTERVAL_BYTES + 2 * WINDOW_BYTES;

  private static final int RECORDS = 2000;

  private final SimDisk sim = new SimDisk(1);
  private final WatchedDisk disk = new WatchedDisk(sim);
  private final AtomicLong readBytes = new AtomicLong();
  private Lab lab;

  @BeforeEach
  void countReads() throws IOException {
    disk.createDirectories(DATA);
    disk.watch(
        (call, bytes) -> {
          if (call.kind() == Kind.READ) {
            readBytes.addAndGet(bytes);
          }
        });
  }

  @AfterEach
  void close() throws IOException {
    lab.close();
    sim.close();
  }

  private PartitionLog filled(int recordsPerBatch) throws IOException {
    lab = Lab.open(disk, DATA, Map.of("segment.bytes", "100000"));
    for (int i = 0; i < RECORDS / recordsPerBatch; i++) {
      long[] times = new long[recordsPerBatch];
      java.util.Arrays.fill(times, 1000 + i);
      lab.orders().append(Produced.at(Compression.NONE, times), 0, AppendSource.CLIENT);
    }
    return lab.orders();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 1000})
  void a_lookup_reads_no_more_than_one_index_interval_and_the_header_at_each_end(
      int recordsPerBatch) throws IOException {
    PartitionLog log = filled(recordsPerBatch);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) {
      long offset = random.nextLong(RECORDS);
      readBytes.set(0);
      log.read(offset, Integer.MAX_VALUE, ReadUpTo.LOG_END).release();
      assertThat(readBytes.get()).as("read at %d", offset).isLessThanOrEqualTo(LOOKUP_BYTES);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 1000})
  void one_who_reads_on_needs_no_lookup(int recordsPerBatch) throws IOException {
    PartitionLog log = filled(recordsPerBatch);
    long reads = 0;
    for (long offset = 0; offset < log.view().end(); reads++) {
      readBytes.set(0);
      LogSlice slice = log.read(offset, Integer.MAX_VALUE, ReadUpTo.LOG_END);
      if (offset > 0) {
        assertThat(readBytes.get()).as("read at %d", offset).isZero();
      }
      offset = endOf(slice, log);
    }
    assertThat(reads).isEqualTo(log.segments().size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 1000})
  void one_who_reads_on_in_small_steps_pays_for_where_each_step_ends(int recordsPerBatch)
      throws IOException {
    PartitionLog log = filled(recordsPerBatch);
    for (int maxBytes : new int[] {1, 500, 10_000}) {
      for (long offset = 0; offset < log.view().end(); ) {
        readBytes.set(0);
        LogSlice slice = log.read(offset, maxBytes, ReadUpTo.LOG_END);
        if (offset > 0) {
          assertThat(readBytes.get())
              .as("read at %d of %d bytes", offset, maxBytes)
              .isLessThanOrEqualTo(LOOKUP_BYTES);
        }
        offset = endOf(slice, log);
      }
    }
  }

  @Test
  void one_who_follows_the_writer_reads_nothing_but_what_is_new() throws IOException {
    lab = Lab.open(disk, DATA, Map.of("tidelog.durability", "fsync"));
    PartitionLog log = lab.orders();
    for (int i = 0; i < 20; i++) {
      for (int j = 0; j < 3; j++) {
        log.append(Produced.at(Compression.NONE, 1000, 1001), 0, AppendSource.CLIENT);
      }
      lab.scheduler.runDue();
      log.append(Produced.at(Compression.NONE, 1000, 1001), 0, AppendSource.CLIENT);
      readBytes.set(0);
      LogSlice slice = log.read(i == 0 ? 0 : 8L * i - 2, 1 << 20, ReadUpTo.HIGH_WATERMARK);
      assertThat(slice.sizeBytes()).isPositive();
      slice.release();
      assertThat(readBytes.get())
          .as("only the look for where the acknowledged part ends")
          .isLessThanOrEqualTo(3 * WINDOW_BYTES);
    }
  }

  /** The offset after a slice; reads it behind the back of the count. */
  private static long endOf(LogSlice slice, PartitionLog log) throws IOException {
    java.nio.ByteBuffer bytes = java.nio.ByteBuffer.allocate(slice.sizeBytes());
    slice.read(bytes, 0);
    slice.release();
    long end = -1;
    for (int at = 0; at < bytes.capacity(); ) {
      io.tidelog.record.RecordBatch batch = io.tidelog.record.RecordBatch.at(bytes, at);
      end = batch.nextOffset();
      at += batch.sizeBytes();
    }
    assertThat(end).isBetween(1L, log.view().end());
    return end;
  }
}
