package io.tidelog.log;

import io.tidelog.disk.NioDisk;
import io.tidelog.store.Lab;
import io.tidelog.store.Produced;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * What it costs to compare a log with its checksums before it is first given out: the time that
 * this thread spends on all reads of a log that was on disk before, the first time and again.
 * {@code main DIRECTORY}.
 */
final class FirstReadCost {
  private static final int BATCHES = 16_384;
  private static final int READ_BYTES = 1 << 20;

  private FirstReadCost() {}

  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    try (Lab lab = Lab.open(new NioDisk(), directory, Map.of())) {
      long[] times = new long[1024];
      Arrays.fill(times, 1000);
      for (int i = 0; i < BATCHES; i++) {
        lab.orders()
            .append(Produced.at(io.tidelog.record.Compression.NONE, times), 0, AppendSource.CLIENT);
      }
      print("written by this process", lab.orders());
    }
    for (int run = 0; run < 3; run++) {
      try (Lab lab = Lab.open(new NioDisk(), directory, Map.of())) {
        print("found on disk, first time", lab.orders());
        print("found on disk, again", lab.orders());
      }
    }
  }

  private static void print(String what, PartitionLog log) throws IOException {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long bytes = 0;
    int index = 0;
    long offset = 0;
    while (offset < log.view().end()) {
      LogSlice slice = log.read(offset, READ_BYTES, ReadUpTo.LOG_END);
      bytes += slice.sizeBytes();
      offset += slice.sizeBytes() / (log.sizeBytes() / BATCHES) * 1024;
      slice.release();
      index++;
    }
    long cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    System.out.printf(
        "%s: %d MiB in %d reads, %.4f CPU-s/GiB%n",
        what, bytes >> 20, index, cpuNanos / 1e9 / (bytes / (double) (1 << 30)));
  }
}
