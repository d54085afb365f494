package io.tidelog.explain;

import io.tidelog.disk.Disk;
import io.tidelog.disk.DiskFile;
import io.tidelog.log.AppendSource;
import io.tidelog.log.PartitionLog;
import io.tidelog.producer.EndTransactionMarker.Outcome;
import io.tidelog.producer.TransactionProtocol;
import io.tidelog.record.Compression;
import io.tidelog.store.Lab;
import io.tidelog.store.Writers;
import io.tidelog.testkit.SimClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A data directory with a file of every kind that the engine writes: two segments with indexes, an
 * aborted transaction and one that is open, a packed batch, snapshots and checkpoints.
 *
 * <pre>
 *  offset   0   plain, 2 records
 *           2   producer 7, transactional, 2 records: aborted
 *           4   plain, 1 record
 *           5   the abort marker of producer 7
 *           6   packed with zstd, 2 records
 *           8   producer 8, transactional, 2 records: open
 *          10   plain, 1 record, in the next segment
 * </pre>
 */
final class SampleDirectory {
  static final Path DATA = Path.of("/data");
  static final long FIRST_OPEN = 8;
  static final long END = 11;

  private SampleDirectory() {}

  /** Makes it, and stops cleanly. */
  static void make(Disk disk, SimClock clock) throws IOException {
    disk.createDirectories(DATA);
    try (Lab lab =
        Lab.open(
            disk,
            DATA,
            clock,
            Map.of("index.interval.bytes", "1", "segment.bytes", "630", "segment.ms", "1000"))) {
      PartitionLog log = lab.orders();
      Writers writers = new Writers();
      long now = clock.millis();
      writers.plain(2, now).to(log, 4);
      writers.transactional(7, 2, now + 1).to(log, 4);
      writers.plain(1, now + 2).to(log, 4);
      log.appendMarker(writers.end(7, Outcome.ABORT, TransactionProtocol.V1), 4);
      log.append(
          Lab.batch(Compression.ZSTD, now + 3, "k:packed one", "k:packed two"),
          5,
          AppendSource.CLIENT);
      writers.transactional(8, 2, now + 4).to(log, 5);
      clock.advanceMs(5_000);
      writers.plain(1, now + 5_000).to(log, 5);
    }
  }

  /** The files, from the data directory down. */
  static List<Path> files(Disk disk) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path directory : List.of(DATA, DATA.resolve("orders-0"))) {
      for (String name : disk.list(directory)) {
        if (!disk.isDirectory(directory.resolve(name))) {
          files.add(directory.resolve(name));
        }
      }
    }
    return files;
  }

  static ByteBuffer contents(Disk disk, Path file) throws IOException {
    ByteBuffer contents = ByteBuffer.allocate((int) disk.sizeBytes(file));
    try (DiskFile opened = disk.openReadOnly(file)) {
      opened.read(contents, 0);
    }
    return contents.flip();
  }

  static void replace(Disk disk, Path file, ByteBuffer contents) throws IOException {
    disk.delete(file);
    try (DiskFile created = disk.create(file)) {
      created.write(contents, 0);
    }
  }
}
